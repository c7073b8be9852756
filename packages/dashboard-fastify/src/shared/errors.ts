import type { ErrorKind } from '@sotto/core'
import { fullErrorKinds } from '@sotto/identity'
import { logError, troubleOf, type FormFields } from '@sotto/http-fastify/plugin'
import type { DashboardError } from '../use-cases.ts'
import { show, type Answer, type PageAnswer } from './answers.ts'
import { keptFields } from './form.ts'
import { keptFormPage, noticePage, tooManyNotice, type NoticeTexts } from './notices.ts'
import type { DashboardTexts } from '@sotto/texts/dashboard'
import type { Visit } from './visit.ts'

type CommonTexts = DashboardTexts['common']

type Notice = {
  [Name in keyof CommonTexts]: CommonTexts[Name] extends { lead: string } ? Name : never
}[keyof CommonTexts]

interface Failure {
  readonly status: number
  readonly notice: Exclude<Notice, 'tooMany' | 'sessionOver'>
  readonly retryAfterSeconds?: number
}

const notFound: Failure = { status: 404, notice: 'notFound' }
const busy: Failure = { status: 503, notice: 'busy', retryAfterSeconds: 5 }
const failed: Failure = { status: 500, notice: 'failed' }
const conflict: Failure = { status: 409, notice: 'unreadable' }
const unreadable: Failure = { status: 400, notice: 'unreadable' }
const refused: Failure = { status: 403, notice: 'refused' }

/** The page for each kind of error. A handler that expects an error, such as `fields_invalid`, answers it itself. */
const failures: Readonly<Record<ErrorKind, Failure>> = {
  not_found: notFound,
  gone: notFound,
  invalid: unreadable,
  too_large: unreadable,
  unsupported: unreadable,
  unproven: unreadable,
  refused,
  conflict,
  limited: unreadable,
  busy: { ...busy, retryAfterSeconds: 2 },
  unavailable: busy,
  failed,
}

/** Answers an error of the core. Errors of the server are logged. */
export function errorAnswer({ request, localized }: Visit, error: DashboardError): PageAnswer {
  if ('retryAfterSeconds' in error) {
    const { retryAfterSeconds } = error
    const texts = tooManyNotice(localized, retryAfterSeconds)
    return retryAnswer(localized, { status: 429, texts, retryAfterSeconds })
  }
  const failure = failureOf(error)
  logError(request.log, error, failure.status)
  return noticeAnswer(localized, failure)
}

function failureOf(error: Exclude<DashboardError, { readonly retryAfterSeconds: number }>): Failure {
  return error.code === 'storage_unavailable'
    ? { ...busy, notice: troubleOf(error) }
    : failures[fullErrorKinds[error.code]]
}

export function noticeAnswer(
  localized: Visit['localized'],
  { status, notice, retryAfterSeconds }: Failure,
): PageAnswer {
  const texts = localized.texts.common[notice]
  return retryAfterSeconds === undefined
    ? show(noticePage(localized, texts, status !== 404), status)
    : retryAnswer(localized, { status, texts, retryAfterSeconds })
}

function retryAnswer(
  localized: Visit['localized'],
  retry: { readonly status: number; readonly texts: NoticeTexts; readonly retryAfterSeconds: number },
): PageAnswer {
  const { status, texts, retryAfterSeconds } = retry
  const headers = { 'retry-after': String(retryAfterSeconds) }
  return { ...show(noticePage(localized, texts, true), status, headers), retryNotice: texts }
}

/** The answer to a form that can be tried again later: with what was typed, passwords aside. */
export function keepingForm(
  { request, localized }: Visit,
  answer: Answer,
  fields: FormFields,
  hasFiles = false,
): Answer {
  const kept = keptFields(fields, hasFiles)
  if (answer.kind !== 'page' || answer.retryNotice === undefined || kept.shown.length === 0) return answer
  return {
    ...answer,
    page: keptFormPage(localized, answer.retryNotice, { action: request.url, kept }),
  }
}

/** The answer to a request that another site made the browser send. */
export function crossSiteAnswer(localized: Visit['localized']): PageAnswer {
  return noticeAnswer(localized, { status: 403, notice: 'refused' })
}

/** The page for a problem of HTTP, by its status. */
export function statusAnswer(localized: Visit['localized'], status: number): PageAnswer {
  if (status === 404) return noticeAnswer(localized, notFound)
  if (status === 503) return noticeAnswer(localized, busy)
  return noticeAnswer(localized, status >= 500 ? failed : { ...unreadable, status })
}
