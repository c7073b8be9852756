import {
  answersAllowedMax,
  shownLines,
  shownText,
  type Answer,
  type FolderWithCounts,
  type SecretRequest,
} from '@sotto/core'
import { requestUrl } from '@sotto/wire'
import {
  areaField,
  banner,
  checkbox,
  choicesField,
  emptyState,
  inputField,
  selectField,
  type Page,
  copyBar,
  timeElement,
  untranslated,
  keptTyping,
  pageScript,
  requestFormScript,
  sealedAnswersScript,
  filled,
  markup,
  type Html,
  choiceStyle,
  requestStyle,
  secretStyle,
  copying,
  localTimes,
  sendOnce,
  sharing,
  writingStyle,
} from '@sotto/html'
import { qrCode } from '../shared/qr-code.ts'
import type { LocalizedDashboard } from '../shared/localized.ts'
import { doneBanner, type Done } from '../shared/done.ts'
import { faults, type FieldProblems } from '../shared/fields.ts'
import { ownerPage } from '../shared/layout.ts'
import { answerList, answerSheets } from '../drafts/answer-page.ts'
import { unsavedText } from '../shared/scripts.ts'
import { keyPanel } from '../sealed/key-panel.ts'
import { sealAnswersField } from '../sealed/seal-answers.ts'
import type { Sealing } from '../sealed/sealing.ts'
import { notifyHint, type SecretFormInput } from '../secrets/secret-form.ts'

/** The fields of a new request, by the names that the form gives them, in the order of the page. */
export const requestFieldNames = [
  'text',
  'title',
  'name',
  'folder',
  'answers',
  'expires',
  'files',
  'notify',
  'seal',
  'key',
] as const

export type RequestFieldName = (typeof requestFieldNames)[number]

/** The names of the core's fields in the form. */
export const requestFormNames: Readonly<Record<string, RequestFieldName>> = {
  title: 'title',
  text: 'text',
  folderId: 'folder',
  answersAllowed: 'answers',
  lifetimeSeconds: 'expires',
  displayName: 'name',
  key: 'seal',
}

/** How long a request may stay open, in seconds: a day, a week, or 30 days. The texts are those of the lifetimes of secrets, but the first. */
export const requestLifetimes = [86_400, 604_800, 2_592_000] as const

export interface NewRequestPageInput extends Pick<SecretFormInput, 'mails'> {
  readonly folders: readonly FolderWithCounts[]
  /** Whether the installation takes files. */
  readonly takesFiles: boolean
  readonly sealing: Sealing
  readonly values: Readonly<Record<RequestFieldName, string>>
  readonly problems: FieldProblems<RequestFieldName>
}

const formParts = [unsavedText, sendOnce, keptTyping]
const formScript = pageScript(...formParts)
/** The part that encrypts comes before all others: what it sends later they must not take for sent. */
export const sealingRequestScript = pageScript(requestFormScript, ...formParts)

/** Where an owner asks for a text. */
export function newRequestPage(localized: LocalizedDashboard, input: NewRequestPageInput): Page {
  const { requests: texts } = localized.texts
  const main = markup`<div class="head"><h1>${texts.newRequest}</h1><p class="lead">${texts.lead}</p></div>
    <form method="post" action="/requests/new" novalidate data-unsaved>
      <div class="panel writing">${textPart(localized, input)}<div class="options">${optionsPart(localized, input)}</div></div>
      <div class="actions send"><button type="submit">${texts.create}</button><p class="status" role="status"></p></div>
    </form>`
  return ownerPage({
    localized,
    title: texts.newRequest,
    place: 'requests',
    main,
    script: input.sealing === 'off' ? formScript : sealingRequestScript,
    sends: true,
    sheets: [choiceStyle, writingStyle],
  })
}

function textPart(localized: LocalizedDashboard, { values, problems }: NewRequestPageInput): Html {
  const { requests: texts } = localized.texts
  const fault = faults(problems, requestFieldNames)
  return areaField({
    name: 'text',
    label: texts.text,
    hint: texts.textHint,
    value: values.text,
    rows: 6,
    ...(isFirst(problems) ? { hasFocus: true } : fault('text')),
  })
}

function optionsPart(
  localized: LocalizedDashboard,
  { folders, values, problems, mails, takesFiles, sealing }: NewRequestPageInput,
): Html {
  const { requests: texts, secrets } = localized.texts
  const { fields } = secrets
  const fault = faults(problems, requestFieldNames)
  const { yourName } = localized.texts.accounts
  return markup`${inputField({
    name: 'title',
    label: fields.label,
    hint: texts.titleHint,
    value: values.title,
    isRequired: true,
    ...fault('title'),
  })}
    ${inputField({
      name: 'name',
      label: yourName.field,
      hint: yourName.hint,
      value: values.name,
      autocomplete: 'name',
      isRequired: true,
      ...fault('name'),
    })}
    ${selectField({
      name: 'folder',
      label: fields.folder,
      choices: folders.map(({ id, label }) => ({ value: id, text: shownText(label) })),
      chosen: values.folder,
      ...fault('folder'),
    })}
    ${inputField({
      name: 'answers',
      label: texts.answers,
      type: 'number',
      value: values.answers,
      attributes: markup`min="1" max="${answersAllowedMax}"`,
      ...fault('answers'),
    })}
    ${choicesField({
      name: 'expires',
      label: texts.closes,
      choices: requestLifetimes.map((seconds, at) => ({
        value: String(seconds),
        text: fields.lifetimes[at + 1] ?? '',
      })),
      chosen: values.expires,
      ...fault('expires'),
    })}
    ${takesFiles && checkbox({ name: 'files', label: texts.takesFiles, isChecked: values.files !== '' })}
    ${sealing !== 'off' && sealAnswersField(localized, { sealing, values, fault: problems.seal })}
    ${checkbox({ name: 'notify', label: texts.notify, isChecked: values.notify !== '' })}
    ${notifyHint(localized, mails === 'none' ? undefined : mails)}`
}

function isFirst(problems: FieldProblems): boolean {
  return Object.keys(problems).length === 0
}

export interface RequestsPageInput {
  /** The answers that the owner has not looked at yet: to these, and to requests that are erased. */
  readonly newAnswers: readonly Answer[]
  readonly requests: readonly SecretRequest[]
  /** The path of the next page; `undefined` on the last one. */
  readonly more: string | undefined
  readonly hasCorruption: boolean
  readonly done: Done | undefined
}

const listParts = [localTimes, copying, sendOnce]
const listScript = pageScript(...listParts)
export const sealedRequestsScript = pageScript(sealedAnswersScript, ...listParts)

/** All requests, newest first. */
export function requestsPage(localized: LocalizedDashboard, input: RequestsPageInput): Page {
  const { requests: texts, folders } = localized.texts
  const { requests, newAnswers, more, hasCorruption, done } = input
  const main = markup`<div class="head"><h1>${texts.heading}</h1><p class="lead">${texts.lead}</p></div>
    ${doneBanner(localized, done)}
    ${hasCorruption && banner('error', folders.dashboard.corrupted)}
    ${newAnswers.length > 0 && markup`<h2>${texts.newAnswers}</h2>${answerList(localized, newAnswers, ({ label }) => untranslated(label))}`}
    <p><a class="button" href="/requests/new">${texts.newRequest}</a></p>
    ${requests.length === 0 ? emptyState(texts.none) : markup`<ul class="items">${requests.map((each) => row(localized, each))}</ul>`}
    ${more !== undefined && markup`<nav class="pages" aria-label="${texts.heading}"><a class="button secondary" rel="next" href="${more}">${texts.more}</a></nav>`}`
  return ownerPage({
    localized,
    title: texts.heading,
    place: 'requests',
    main,
    script: newAnswers.some(({ requestKey }) => requestKey !== undefined) ? sealedRequestsScript : listScript,
    sheets: [requestStyle, ...(newAnswers.length > 0 ? answerSheets : [])],
  })
}

function row(localized: LocalizedDashboard, request: SecretRequest): Html {
  return markup`<li><a href="/requests/${request.id}">${untranslated(request.title)}</a><p>${stateOf(localized, request)}</p></li>`
}

export interface RequestPageInput {
  readonly request: SecretRequest
  /** The answers of the request that are neither shared nor deleted, newest first. */
  readonly answers: readonly Answer[]
  /** The path of their next page; `undefined` on the last one. */
  readonly more: string | undefined
  readonly hasCorruption: boolean
  readonly linkBaseUrl: string
  /** Whether it was created just now. */
  readonly isNew: boolean
  readonly done: Done | undefined
}

const scriptParts = [localTimes, copying, sharing, sendOnce]
const script = pageScript(...scriptParts)
export const sealedRequestScript = pageScript(sealedAnswersScript, ...scriptParts)

/** One request: its link, its answers so far, and the way to close it. */
export function requestPage(localized: LocalizedDashboard, input: RequestPageInput): Page {
  const { requests: texts, folders } = localized.texts
  const { request, answers, more, hasCorruption, isNew, done } = input
  const isSealed = request.key !== undefined
  const main = markup`<div class="head">
      <p class="crumbs"><a href="/requests">${texts.heading}</a></p>
      <h1>${untranslated(request.title)}</h1>
      <p class="state">${stateOf(localized, request)}</p>
    </div>
    ${doneBanner(localized, done)}
    ${isNew && !isSealed && isOpen(request) && request.answers === 0 && banner('success', texts.created)}
    ${hasCorruption && banner('error', folders.dashboard.corrupted)}
    ${answers.length > 0 && answersPart(localized, answers, more)}
    ${request.key === undefined ? isOpen(request) && linkPart(localized, input) : keyPanel(localized, { ...request, key: request.key }, isOpen(request) && linkPart(localized, input))}
    ${answers.length === 0 && request.answers > 0 && markup`<p>${texts.noAnswers}</p>`}
    ${request.text !== '' && markup`<section class="panel"><h2>${texts.text}</h2><p class="asked" dir="auto" translate="no">${shownLines(request.text)}</p></section>`}
    ${
      isOpen(request) &&
      markup`<form class="panel end" method="post" action="/requests/${request.id}/close"><h2>${texts.close}</h2><p>${texts.closeHint}</p><button type="submit" class="danger">${texts.close}</button></form>`
    }`
  return ownerPage({
    localized,
    title: texts.title,
    place: 'requests',
    main,
    script: isSealed ? sealedRequestScript : script,
    sheets: [secretStyle, requestStyle, ...(answers.length > 0 ? answerSheets : [])],
  })
}

function answersPart(
  localized: LocalizedDashboard,
  answers: readonly Answer[],
  more: string | undefined,
): Html {
  const { answersHeading, more: moreText } = localized.texts.requests
  return markup`<section><h2>${answersHeading}</h2>${answerList(localized, answers)}
    ${more !== undefined && markup`<nav class="pages" aria-label="${answersHeading}"><a class="button secondary" rel="next" href="${more}">${moreText}</a></nav>`}</section>`
}

function linkPart(localized: LocalizedDashboard, { request, linkBaseUrl, isNew }: RequestPageInput): Html {
  const { link, copyLink: copy, copied, copyFailed, share, qr } = localized.texts.secrets.secret
  const url = requestUrl(linkBaseUrl, request.link.token)
  const isSealed = request.key !== undefined
  return markup`<section class="panel link">
    <h2>${link}</h2>
    <p><code class="once" id="link" dir="ltr" translate="no"${isSealed && markup` data-url`}>${url}</code></p>
    ${copyBar('link', { copy, copied, copyFailed }, isNew ? 'main first' : 'main')}
    <div class="beside"><button type="button" class="quiet" data-share="link" hidden>${share}</button></div>
    ${!isSealed && qrCode(url, qr)}
  </section>`
}

function isOpen({ answers, answersAllowed, closedAtMicros }: SecretRequest): boolean {
  return closedAtMicros === undefined && answers < answersAllowed
}

/** Whether it is open, and how many answers it has. One that has all of them says only that. */
function stateOf(localized: LocalizedDashboard, request: SecretRequest): Html {
  const { requests: texts } = localized.texts
  const answers = answersOf(localized, request)
  if (request.closedAtMicros !== undefined) return markup`${texts.closed} &middot; ${answers}`
  if (!isOpen(request)) return answers
  const time = timeElement(localized, request.closesAtMicros)
  return markup`${filled(texts.open, { time })} &middot; ${answers}`
}

function answersOf(localized: LocalizedDashboard, { answers, answersAllowed }: SecretRequest): Html {
  const count = localized.number(answers)
  return filled(localized.texts.requests.answered, {
    count,
    allowed: localized.number(answersAllowed),
  })
}
