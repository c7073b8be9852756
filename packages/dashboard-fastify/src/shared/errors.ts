import { logError, isOutcomeUnknown, isUnwritable, type FormFields } from '@sotto/http-fastify/plugin'
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
const unwritable: Failure = { ...busy, notice: 'unwritable' }
const outcomeUnknown: Failure = { ...busy, notice: 'uncertain' }
const failed: Failure = { status: 500, notice: 'failed' }
const conflict: Failure = { status: 409, notice: 'unreadable' }
const unreadable: Failure = { status: 400, notice: 'unreadable' }
const refused: Failure = { status: 403, notice: 'refused' }

/**
 * The page for each error that a handler does not show at a field. It does not compile when a code is missing. A handler that expects an
 * error, such as `fields_invalid`, answers it itself.
 */
const failures: Readonly<Record<DashboardError['code'], Failure>> = {
  // storage, keys and fields
  storage_unavailable: busy,
  storage_failed: failed,
  data_damaged: failed,
  key_unknown: busy,
  key_retired: busy,
  hasher_busy: { ...busy, retryAfterSeconds: 2 },
  fields_invalid: unreadable,
  // quota
  quota_exceeded: unreadable,
  // accounts
  account_not_found: notFound,
  account_exists: conflict,
  email_change_not_found: notFound,
  // files
  file_not_found: notFound,
  files_full: conflict,
  disk_full: unwritable,
  file_too_large: unreadable,
  files_off: unreadable,
  upload_broken: unreadable,
  // secrets
  secret_not_found: notFound,
  // drafts
  draft_not_found: notFound,
  draft_changed: conflict,
  draft_sealed: conflict,
  draft_locked: unreadable,
  draft_disabled: conflict,
  // requests
  request_not_found: notFound,
  // folders
  folder_not_found: notFound,
  folder_not_empty: conflict,
  search_under_way: unreadable,
  // mails
  mail_unavailable: conflict,
  too_many_mails: unreadable,
  send_failed: failed,
  // webhooks
  webhook_not_found: notFound,
  webhook_limit_reached: conflict,
  // access tokens
  access_token_not_found: notFound,
  // sessions
  session_invalid: unreadable,
  session_not_found: notFound,
  sign_in_held: refused,
  // passwords
  sign_in_wrong: unreadable,
  sign_in_locked: unreadable,
  proof_required: unreadable,
  password_wrong: unreadable,
  password_changed: conflict,
  password_sign_in_off: refused,
  last_way_in: conflict,
  // passkeys
  passkey_refused: unreadable,
  passkey_taken: conflict,
  passkey_limit_reached: conflict,
  passkey_not_found: notFound,
  // single sign-on
  identity_not_found: notFound,
  identity_taken: conflict,
  identity_limit_reached: conflict,
  identity_refused: refused,
  sso_refused: unreadable,
  identity_provider_unreachable: { ...busy, retryAfterSeconds: 30 },
  // invitations
  welcome_not_found: notFound,
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
  if (isOutcomeUnknown(error)) return outcomeUnknown
  return error.code === 'storage_unavailable' && isUnwritable(error) ? unwritable : failures[error.code]
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
