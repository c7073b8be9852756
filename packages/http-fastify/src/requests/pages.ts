import { filesMax, shownLines, type RequestPreview } from '@sotto/core'
import { answerNames } from '@sotto/wire'
import {
  type Page,
  timeElement,
  untranslated,
  fileField,
  filled,
  filledText,
  markup,
  type Html,
  emptyEnvelope,
  openEnvelope,
  sealedEnvelope,
} from '@sotto/html'
import type { LocalizedLink } from '../link/localized-link.ts'
import { linkPage } from '../link/link-page.ts'
import { fileFieldName } from '../http/bodies/form-with-files.ts'
import { requestStyle } from './style.ts'
import { requestScript, sealedRequestPageScript, timesScript } from '../link/scripts.ts'
import { insteadOfForm, whenReady } from '../sealed/pages.ts'

export interface RequestPageInput {
  /** `undefined` when it cannot be read right now: then the form is there to be sent again. */
  readonly preview: RequestPreview | undefined
  /** 32 hexadecimal digits: those of the form that was sent, or else new ones. */
  readonly formId: string
  /** What was typed before. */
  readonly note?: string | undefined
  /** What is wrong with what was typed. */
  readonly fault?: string | undefined
  /** What is wrong with the files. */
  readonly filesFault?: string | undefined
  /** Whether files were sent, which have to be chosen again. */
  readonly hasFiles?: boolean | undefined
  /** Why it was not taken, when nothing is wrong with it. */
  readonly alert?: string | undefined
}

/** The page on which somebody hands in what they are asked for. Nothing of the request becomes a link or markup. */
export function requestPage(localized: LocalizedLink, input: RequestPageInput): Page {
  const { request: texts } = localized.texts
  const { preview, formId, note = '', fault, filesFault, hasFiles = false, alert } = input
  const isFirst = [fault, filesFault, alert].every((each) => each === undefined)
  const fileMaxBytes = preview?.fileMaxBytes
  const key = preview?.key
  // The script of a form that is sealed keeps the files that were chosen.
  const again = hasFiles && fileMaxBytes !== undefined && key === undefined && markup` ${texts.files.again}`
  const main = markup`${isFirst && sealedEnvelope}<h1>${preview === undefined ? texts.heading : headingOf(localized, preview)}</h1>
    ${alert !== undefined && markup`<p class="alert" role="alert">${alert}${again}</p>`}
    ${fault !== undefined && markup`<p class="alert" role="alert"><a href="#answer">${texts.label}</a> ${fault}${again}</p>`}
    ${filesFault !== undefined && markup`<p class="alert" role="alert"><a href="#${fileFieldName}">${texts.files.label}</a> ${filesFault}${again}</p>`}
    ${preview && asked(localized, preview)}
    ${key !== undefined && insteadOfForm(localized, true, filled(texts.sealed.noScript, { command: markup`<code>sotto answer</code>` }))}<form method="post"${fileMaxBytes !== undefined && markup` enctype="multipart/form-data"`} novalidate data-busy="${texts.sending}"${preview && key !== undefined && sealing(localized, preview)}>
      <input type="hidden" name="${answerNames.formId}" value="${formId}">
      <label for="answer">${texts.label}</label>
      <textarea id="answer" name="${answerNames.note}" rows="6"${fileMaxBytes === undefined && markup` required`} dir="auto" autocomplete="off" translate="no" spellcheck="false" aria-describedby="${fault === undefined ? '' : 'answer-error '}readers"${fault !== undefined && markup` aria-invalid="true" autofocus`}>${'\n'}${note}</textarea>
      ${fault !== undefined && markup`<p class="error" id="answer-error">${fault}</p>`}
      <p class="hint" id="readers">${key === undefined ? texts.readers : texts.sealed.readers}</p>
      ${fileMaxBytes !== undefined && chooser(localized, fileMaxBytes, filesFault)}
      <button type="submit">${texts.send}</button>
      <p class="status" role="status"></p>
    </form>
    ${preview && facts(localized, preview)}`
  return linkPage(localized, {
    title: texts.heading,
    description: texts.heading,
    main,
    hasFault: fault !== undefined || filesFault !== undefined,
    hasForm: true,
    // The text that was typed would be gone in another language.
    hasMessage: note !== '',
    script: key === undefined ? requestScript : sealedRequestPageScript,
    sends: true,
    sheets: [requestStyle],
  })
}

/** What the script needs that encrypts an answer, and the words for faults that the server cannot see. */
function sealing(
  { texts: { request }, size, number }: LocalizedLink,
  { key, noteMaxBytes, fileMaxBytes }: RequestPreview,
): Html {
  const { tooMany, tooLarge, missing } = request.files
  const empty = fileMaxBytes === undefined ? request.missing : missing
  const forFiles =
    fileMaxBytes !== undefined &&
    markup` data-file-max="${fileMaxBytes}" data-large="${filledText(tooLarge, { limit: size(fileMaxBytes) })}" data-many="${filledText(tooMany, { count: number(filesMax) })}"`
  return markup` data-key="${key}" data-max="${noteMaxBytes}" data-empty="${empty}" data-long="${request.tooLong}" data-broken="${request.notText}" data-lost="${request.uncertain}"${forFiles}${whenReady}`
}

function chooser(localized: LocalizedLink, maxBytes: number, error: string | undefined): Html {
  const { label, hint } = localized.texts.request.files
  return fileField({
    name: fileFieldName,
    label,
    hint: filledText(hint, { count: localized.number(filesMax), each: localized.size(maxBytes) }),
    error,
    hasFocus: error !== undefined,
  })
}

function headingOf({ texts: { request }, brand }: LocalizedLink, { from }: RequestPreview): Html {
  return from === undefined
    ? filled(request.fromService, { service: untranslated(brand.name) })
    : filled(request.from, { name: untranslated(from) })
}

function asked({ texts: { request } }: LocalizedLink, { title, text, from }: RequestPreview): Html {
  return markup`${from !== undefined && markup`<p class="hint">${request.unverified}</p>`}
    <h2>${untranslated(title)}</h2>
    ${text !== '' && markup`<p class="asked" dir="auto" translate="no">${shownLines(text)}</p>`}`
}

/** The time until which it can be answered, and what to do about a request that nobody expected. */
function facts(localized: LocalizedLink, { closesAtMicros, remainingSeconds }: RequestPreview): Html {
  const { request, gone } = localized.texts
  const { contact } = localized.brand
  const time = timeElement(localized, closesAtMicros)
  return markup`<p>${filled(request.until, { time, when: localized.fromNow(remainingSeconds) })}</p>
    <p>${request.caution}${contact && markup` ${filled(gone.help, { contact })}`}</p>`
}

/** The page that says that an answer was handed in. It leads nowhere: what was handed in cannot be read here. */
export function receivedPage(localized: LocalizedLink, receivedAtMicros: number): Page {
  const { received } = localized.texts.request
  const time = timeElement(localized, receivedAtMicros)
  const main = markup`${openEnvelope}<h1>${received.heading}</h1>
    <p class="lead">${filled(received.lead, { time })}</p>
    <p>${received.advice}</p>`
  return linkPage(localized, { title: received.heading, main, script: timesScript, hasMessage: true })
}

/** The one page for all requests that cannot be answered. */
export function closedRequestPage(localized: LocalizedLink): Page {
  const { request, gone } = localized.texts
  const { contact } = localized.brand
  const main = markup`${emptyEnvelope}<h1>${request.gone.heading}</h1>
    <p class="lead">${request.gone.lead}</p>
    <p>${request.gone.advice}</p>
    ${contact && markup`<p>${filled(gone.help, { contact })}</p>`}`
  return linkPage(localized, { title: request.gone.heading, main })
}
