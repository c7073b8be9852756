import { fieldMessages, type FieldMessages } from '@sotto/wire'
import type { HttpError } from '../../use-cases.ts'
import { problems, type Problem } from './problems.ts'

/** What each error of the core is in HTTP. It does not compile when a code is missing that can reach HTTP, or one is here that cannot. */
const problemsOfErrors: Readonly<Record<HttpError['code'], Problem>> = {
  storage_unavailable: problems.unavailable,
  storage_failed: problems.serverError,
  data_damaged: problems.serverError,
  // This server's key file is older than the data; another server may have the key.
  key_unknown: problems.unavailable,
  key_retired: withHeaders(problems.unavailable, { 'retry-after': '1' }),
  hasher_busy: withHeaders(problems.unavailable, { 'retry-after': '2' }),
  fields_invalid: { status: 400, message: 'Some fields are not valid.' },
  token_invalid: problems.invalidToken,
  quota_exceeded: { status: 429, message: 'Too many requests. Try again later.' },
  secret_not_found: { status: 404, message: 'There is no such secret.' },
  idempotency_key_reused: { status: 422, message: 'This Idempotency-Key was used for another request.' },
  idempotency_key_under_way: {
    status: 409,
    message: 'Another request with this Idempotency-Key is under way. Try again.',
    headers: { 'retry-after': '1' },
  },
  secret_gone: { status: 410, message: 'The secret that this Idempotency-Key created is gone.' },
  upload_broken: problems.badMultipart,
  files_off: { status: 415, message: 'This service takes no files.' },
  file_too_large: { status: 413, message: 'A file is too large.' },
  files_full: { status: 413, message: 'The files of the account would be too large together.' },
  // A client does not send it again by itself (RFC 4918, section 11.5), so there is no Retry-After.
  disk_full: {
    status: 507,
    message: 'There is no room for files on the disk of this service now. Without files it can be created.',
  },
  file_not_found: { status: 404, message: 'There is no such file.' },
  file_missing: problems.serverError,
  link_not_found: { status: 404, message: 'There is no such link.' },
  key_wrong: {
    status: 403,
    message: 'The key of this link is missing or wrong. Nothing was opened.',
  },
  password_required: { status: 401, message: 'A password is required.' },
  password_wrong: { status: 401, message: 'The password is not the right one.' },
  link_locked: { status: 429, message: 'Too many attempts. Try again later.' },
  form_already_used: { status: 409, message: 'This form was used already.' },
  request_not_found: { status: 404, message: 'There is no such request.' },
  answer_not_sealed: {
    status: 422,
    message: 'Some fields are not valid.',
    errors: { note: ['must be encrypted with the key of this request, and not longer than any answer'] },
  },
  answer_without_files: { status: 415, message: 'This request takes no files. Nothing was handed in.' },
  too_many_answers: { status: 429, message: 'Too many answers from your network. Try again later.' },
}

/** The problem that answers an error of the core. */
export function problemOf(error: HttpError): Problem {
  const problem = problemsOfErrors[error.code]
  switch (error.code) {
    case 'storage_unavailable':
      if (error.reason === 'outcome_unknown') return problems.outcomeUnknown
      return isUnwritable(error) ? problems.unwritable : problem
    case 'fields_invalid':
      return fieldsProblem(fieldMessages(error.errors))
    case 'quota_exceeded':
      return withHeaders(problem, {
        'retry-after': String(error.retryAfterSeconds),
        'x-ratelimit-reset': String(Math.ceil(error.resetAtMicros / 1_000_000)),
      })
    case 'file_too_large':
      return {
        ...problem,
        message: `${error.number === undefined ? 'A file' : `File ${error.number}`} is too large. It may have at most ${sizeInWords(error.maxBytes)}.`,
      }
    case 'files_full':
      return {
        ...problem,
        message: `The files of the account would be too large. They may have at most ${sizeInWords(error.maxBytes)} together.`,
      }
    case 'link_locked':
    case 'too_many_answers':
      return withHeaders(problem, { 'retry-after': String(error.retryAfterSeconds) })
    default:
      return problem
  }
}

const unwritable: readonly string[] = ['full', 'disk_failed', 'read_only', 'moved']

/** Whether what was asked for may have been done all the same. */
export function isOutcomeUnknown(error: { readonly code: string; readonly reason?: unknown }): boolean {
  return error.code === 'storage_unavailable' && error.reason === 'outcome_unknown'
}

/** Whether the storage cannot be written until its operator does something, or a disk or server is back. Nothing was changed. */
export function isUnwritable(error: Extract<HttpError, { readonly code: 'storage_unavailable' }>): boolean {
  return unwritable.includes(error.reason)
}

/** The 400 that lists every invalid field. */
export function fieldsProblem(errors: FieldMessages): Problem {
  return { ...problemsOfErrors.fields_invalid, ...(Object.keys(errors).length > 0 ? { errors } : {}) }
}

function withHeaders(problem: Problem, headers: Readonly<Record<string, string>>): Problem {
  return { ...problem, headers: { ...problem.headers, ...headers } }
}

const kibibyte = 1024

/** A size as people read it: exact in bytes, and in the unit that makes it short. */
function sizeInWords(bytes: number): string {
  const exact = `${bytes.toLocaleString('en')} bytes`
  const power = bytes < kibibyte ? 0 : Math.floor(Math.log2(bytes) / 10)
  const unit = ['', 'KiB', 'MiB', 'GiB', 'TiB'][power]
  return power === 0 || unit === undefined
    ? exact
    : `${+(bytes / kibibyte ** power).toFixed(1)} ${unit} (${exact})`
}
