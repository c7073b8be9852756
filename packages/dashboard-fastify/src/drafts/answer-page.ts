import { shownText, type Answer, type DraftWithNote, type FolderWithCounts, type Uuid } from '@sotto/core'
import { textFileName } from '@sotto/http-fastify/plugin'
import {
  answerStyle,
  badgeStyle,
  banner,
  copyBar,
  copying,
  fileList,
  attachedStyle,
  filled,
  localTimes,
  markup,
  noteElement,
  pageScript,
  sealedAnswersScript,
  selectField,
  timeElement,
  untranslated,
  type Html,
  type Page,
} from '@sotto/html'
import { doneBanner, type Done } from '../shared/done.ts'
import { saveLink } from '../files/files-field.ts'
import { keyPanel } from './key-panel.ts'
import { ownerPage } from '../shared/layout.ts'
import { newMark } from '../shared/looks.ts'
import type { LocalizedDashboard } from '../shared/localized.ts'

export interface AnswerPageInput {
  readonly draft: Omit<DraftWithNote, 'note'> & { readonly note: string }
  readonly request: AnsweredTitle
  /** Where an answer that only its owner decrypts can be moved. Others are moved by their form. */
  readonly folders: readonly FolderWithCounts[]
  readonly done: Done | undefined
}

/** What an answer answers. */
export interface AnsweredTitle {
  readonly title: string
  /** The page of the request; `undefined` once it is erased. */
  readonly path: string | undefined
}

const scriptParts = [localTimes, copying]
const script = pageScript(...scriptParts)
export const sealedAnswerScript = pageScript(sealedAnswersScript, ...scriptParts)

/** A draft that somebody handed in: its text, and what can be done with it. */
export function answerPage(localized: LocalizedDashboard, input: AnswerPageInput): Page {
  const { drafts, files: fileTexts } = localized.texts
  const { draft, request, folders, done } = input
  const { id, note, files } = draft
  const saved = ({ name }: { readonly name: string }, at: number, nameId: string): Html =>
    saveLink(localized, { name, path: `/drafts/${id}/files/${at + 1}` }, nameId)
  const sealed = sealedBy(draft)
  const main = markup`<div class="head">${answerCrumbs(localized)}<h1>${answerTitle(localized, request)}</h1>
      <p class="state">${timeElement(localized, draft.createdAtMicros)}</p></div>
    ${doneBanner(localized, done)}
    ${draft.isDisabled && banner('warning', drafts.disabled)}
    ${sealed && undecrypted(localized, id)}
    ${
      note !== '' &&
      markup`<section class="panel answer"${sealed && markup` data-text hidden`}>${noteElement(sealed === undefined ? note : '')}<div class="beside">${textActions(localized, draft, 'note', 'main')}</div></section>`
    }
    ${files.length > 0 && markup`<section class="attached"${sealed && markup` data-listed hidden`}><h2>${fileTexts.heading}</h2>${fileList(localized, files, saved)}${sealed && savingStatus(localized)}</section>`}
    ${sealed && keyPanel(localized, { id: sealed.requestId, key: sealed.key })}
    ${
      sealed === undefined &&
      markup`<div class="actions">
      <a class="button secondary" href="/drafts/${id}/edit">${localized.texts.requests.edit}</a>
      <a class="button secondary" href="/drafts/${id}/edit#opens">${drafts.share}</a>
    </div>`
    }
    ${sealed && folders.length > 1 && moveForm(localized, draft, folders)}
    <form class="panel end" method="get" action="/drafts/${id}/delete"><h2>${deleteText(localized)}</h2><p>${drafts.deleteLead}</p><button type="submit" class="danger">${deleteText(localized)}</button></form>`
  return ownerPage({
    localized,
    title: drafts.title,
    place: 'requests',
    main:
      sealed === undefined
        ? main
        : markup`<div${sealedAttributes(sealed, draft)} data-files="${files.length}">${main}</div>`,
    script: sealed === undefined ? script : sealedAnswerScript,
    // The script fetches the files, and decrypts them.
    sends: sealed !== undefined && files.length > 0,
    sheets: [answerStyle, ...(files.length > 0 ? [attachedStyle] : [])],
  })
}

/** Nothing but the folder can be changed of what only its owner decrypts. */
function moveForm(
  { texts: { requests, secrets } }: LocalizedDashboard,
  { id, folderId }: AnswerPageInput['draft'],
  folders: readonly FolderWithCounts[],
): Html {
  const choices = folders.map(({ id: value, label }) => ({ value, text: shownText(label) }))
  const label = secrets.fields.folder
  return markup`<form class="panel" method="post" action="/drafts/${id}">${selectField({ name: 'folder', label, choices, chosen: folderId })}
      <button type="submit" name="action" value="move" class="secondary">${requests.sealed.move}</button></form>`
}

/** The heading of an answer. */
export function answerTitle({ texts }: LocalizedDashboard, { title, path }: AnsweredTitle): Html {
  const shown = untranslated(title)
  return filled(texts.requests.answerTo, {
    title: path === undefined ? shown : markup`<a href="${path}">${shown}</a>`,
  })
}

/** The way back from an answer. */
export function answerCrumbs({ texts }: LocalizedDashboard): Html {
  return markup`<p class="crumbs"><a href="/requests">${texts.requests.heading}</a></p>`
}

/** The sheets that a list of answers needs. */
export const answerSheets = [answerStyle, badgeStyle]

/** A list of answers, each with what can be done with it. The script of the page needs `copying`. @param titleOf what names each beside its time */
export function answerList(
  localized: LocalizedDashboard,
  answers: readonly Answer[],
  titleOf: (answer: Answer) => Html | undefined = () => undefined,
): Html {
  return markup`<ul class="items answers">${answers.map((answer) => answerRow(localized, answer, titleOf(answer)))}</ul>`
}

/** The longest text that a list has for its button that copies. A longer one is copied on its own page. */
const copiedMax = 10_000

function answerRow(localized: LocalizedDashboard, answer: Answer, title: Html | undefined): Html {
  const { id, note, answers, createdAtMicros, filesCount = 0 } = answer
  const sealed = sealedBy(answer)
  const { drafts, files } = localized.texts
  const counted = filesCount > 0 && localized.counted(files.counted, filesCount)
  const time = timeElement(localized, createdAtMicros)
  const canCopy = note !== undefined && note !== '' && note.length <= copiedMax
  return markup`<li${sealed && markup`${sealedAttributes(sealed, answer)} data-files="${filesCount}"`}><div><a href="/drafts/${id}">${title ?? time}</a><p>${title && markup`${time} `}${counted && markup`${filled(counted.wording, { count: counted.number })} `}${newMark(localized, answers)}</p></div>
    ${canCopy && markup`<p id="text-${id}"${sealed && markup` data-note`} hidden>${sealed === undefined && note}</p>`}
    ${
      sealed === undefined
        ? note !== undefined &&
          note !== '' &&
          textActions(localized, answer, canCopy ? `text-${id}` : undefined, 'quiet')
        : canCopy &&
          markup`<section data-text hidden>${textActions(localized, answer, `text-${id}`, 'quiet')}</section><p class="hint" data-undecrypted hidden>${localized.texts.requests.sealed.undecryptable}</p>`
    }
    ${sealed === undefined && markup`<a class="button quiet" href="/drafts/${id}/edit#opens">${drafts.share}</a>`}
    <a class="button quiet" href="/drafts/${id}/delete">${deleteText(localized)}</a></li>`
}

/** Buttons that copy a text and save it as a file; saving works without a script. @param target the element with the text; without it there is no copying */
function textActions(
  { texts: { requests, secrets } }: LocalizedDashboard,
  { id, label, requestKey }: Pick<Answer, 'id' | 'label' | 'requestKey'>,
  target: string | undefined,
  look: 'quiet' | 'main',
): Html {
  const copy = {
    copy: requests.copy,
    copied: secrets.secret.copied,
    copyFailed: requests.copyFailed,
  }
  return markup`${target !== undefined && copyBar(target, copy, look)}<a class="button${look === 'quiet' ? ' quiet' : ' secondary'}" href="/drafts/${id}/text"${requestKey !== undefined && markup` data-file="${textFileName(label)}"`}>${requests.save}</a>`
}

/** What an answer is encrypted with that only its owner decrypts. */
interface SealedBy {
  readonly requestId: Uuid
  readonly key: string
}

function sealedBy({
  requestKey: key,
  answers,
}: Pick<DraftWithNote, 'requestKey' | 'answers'>): SealedBy | undefined {
  return key === undefined || answers === undefined ? undefined : { requestId: answers.requestId, key }
}

/** What the script decrypts, and with which key. */
function sealedAttributes({ requestId, key }: SealedBy, { note }: Pick<Answer, 'note'>): Html {
  return markup` data-sealed="${note ?? ''}" data-request="${requestId}" data-key="${key}"`
}

function undecrypted({ texts }: LocalizedDashboard, id: Uuid): Html {
  const { undecryptable, saveSealed } = texts.requests.sealed
  return markup`<div class="banner error" role="alert" data-undecrypted hidden><p>${undecryptable}</p><p><a class="button secondary" href="/drafts/${id}/text">${saveSealed}</a></p></div>`
}

/** Says how saving a file goes. */
function savingStatus({ texts }: LocalizedDashboard): Html {
  const { saving, fileUndecryptable, fileFailed } = texts.requests.sealed
  return markup`<p role="status" data-saving="${saving}" data-undecryptable="${fileUndecryptable}" data-failed="${fileFailed}"></p>`
}

function deleteText({ texts }: LocalizedDashboard): string {
  return texts.secrets.secret.destroy
}
