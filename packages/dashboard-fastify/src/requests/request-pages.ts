import { shownLines, type Answer, type SecretRequest } from '@sotto/core'
import { requestUrl } from '@sotto/wire'
import {
  banner,
  emptyState,
  type Page,
  copyBar,
  timeElement,
  untranslated,
  pageScript,
  sealedAnswersScript,
  filled,
  markup,
  type Html,
  requestStyle,
  secretStyle,
  copying,
  localTimes,
  sendOnce,
  sharing,
} from '@sotto/html'
import { qrCode } from '../shared/qr-code.ts'
import type { LocalizedDashboard } from '../shared/localized.ts'
import { doneBanner, type Done } from '../shared/done.ts'
import { ownerPage } from '../shared/layout.ts'
import { answerList, answerSheets } from '../drafts/answer-page.ts'
import { keyPanel } from '../drafts/key-panel.ts'

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
