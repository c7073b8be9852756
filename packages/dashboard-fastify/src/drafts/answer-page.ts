import type { Answer, DraftWithNote } from '@sotto/core'
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
  timeElement,
  untranslated,
  type Html,
  type Page,
} from '@sotto/html'
import { doneBanner, type Done } from '../shared/done.ts'
import { saveLink } from '../files/files-field.ts'
import { ownerPage } from '../shared/layout.ts'
import { newMark } from '../shared/looks.ts'
import type { LocalizedDashboard } from '../shared/localized.ts'

export interface AnswerPageInput {
  readonly draft: Omit<DraftWithNote, 'note'> & { readonly note: string }
  readonly request: AnsweredTitle
  readonly done: Done | undefined
}

/** What an answer answers. */
export interface AnsweredTitle {
  readonly title: string
  /** The page of the request; `undefined` once it is erased. */
  readonly path: string | undefined
}

/** A draft that somebody handed in: its text, and what can be done with it. */
export function answerPage(localized: LocalizedDashboard, input: AnswerPageInput): Page {
  const { drafts, files: fileTexts } = localized.texts
  const { draft, request, done } = input
  const { id, note, files } = draft
  const saved = ({ name }: { readonly name: string }, at: number, nameId: string): Html =>
    saveLink(localized, { name, path: `/drafts/${id}/files/${at + 1}` }, nameId)
  const main = markup`<div class="head">${answerCrumbs(localized)}<h1>${answerTitle(localized, request)}</h1>
      <p class="state">${timeElement(localized, draft.createdAtMicros)}</p></div>
    ${doneBanner(localized, done)}
    ${draft.isDisabled && banner('warning', drafts.disabled)}
    ${
      note !== '' &&
      markup`<section class="panel answer">${noteElement(note)}<div class="beside">${textActions(localized, id, 'note', 'main')}</div></section>`
    }
    ${files.length > 0 && markup`<section class="attached"><h2>${fileTexts.heading}</h2>${fileList(localized, files, saved)}</section>`}
    <div class="actions">
      <a class="button secondary" href="/drafts/${id}/edit">${localized.texts.requests.edit}</a>
      <a class="button secondary" href="/drafts/${id}/edit#opens">${drafts.share}</a>
    </div>
    <form class="panel end" method="get" action="/drafts/${id}/delete"><h2>${deleteText(localized)}</h2><p>${drafts.deleteLead}</p><button type="submit" class="danger">${deleteText(localized)}</button></form>`
  return ownerPage({
    localized,
    title: drafts.title,
    place: 'requests',
    main,
    script: pageScript(localTimes, copying),
    sheets: [answerStyle, ...(files.length > 0 ? [attachedStyle] : [])],
  })
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

function answerRow(
  localized: LocalizedDashboard,
  { id, note, answers, createdAtMicros, filesCount = 0 }: Answer,
  title: Html | undefined,
): Html {
  const { drafts, files } = localized.texts
  const counted = filesCount > 0 && localized.counted(files.counted, filesCount)
  const time = timeElement(localized, createdAtMicros)
  const canCopy = note !== undefined && note !== '' && note.length <= copiedMax
  return markup`<li><div><a href="/drafts/${id}">${title ?? time}</a><p>${title && markup`${time} `}${counted && markup`${filled(counted.wording, { count: counted.number })} `}${newMark(localized, answers)}</p></div>
    ${canCopy && markup`<p id="text-${id}" hidden>${note}</p>`}
    ${note !== undefined && note !== '' && textActions(localized, id, canCopy ? `text-${id}` : undefined, 'quiet')}
    <a class="button quiet" href="/drafts/${id}/edit#opens">${drafts.share}</a>
    <a class="button quiet" href="/drafts/${id}/delete">${deleteText(localized)}</a></li>`
}

/** Buttons that copy a text and save it as a file; saving works without a script. @param target the element with the text; without it there is no copying */
function textActions(
  { texts: { requests, secrets } }: LocalizedDashboard,
  id: string,
  target: string | undefined,
  look: 'quiet' | 'main',
): Html {
  const copy = {
    copy: requests.copy,
    copied: secrets.secret.copied,
    copyFailed: requests.copyFailed,
  }
  return markup`${target !== undefined && copyBar(target, copy, look)}<a class="button${look === 'quiet' ? ' quiet' : ' secondary'}" href="/drafts/${id}/text">${requests.save}</a>`
}

function deleteText({ texts }: LocalizedDashboard): string {
  return texts.secrets.secret.destroy
}
