import { errorKinds, missingOf, type CodesOfKind, type ErrorKind } from '@sotto/core'
import { fieldMessages, type FieldMessages } from '@sotto/wire'
import type { HttpError } from '../../use-cases.ts'
import { problems, type Problem } from './problems.ts'

/** What each kind of error is in HTTP. */
const problemsOfKinds: Readonly<Record<ErrorKind, Problem>> = {
  not_found: refused(404),
  gone: refused(410),
  invalid: refused(400),
  too_large: refused(413),
  unsupported: refused(415),
  unproven: refused(401),
  refused: refused(403),
  conflict: refused(409),
  limited: { status: 429, message: 'Too many attempts. Try again later.' },
  busy: withHeaders(problems.busy, { 'retry-after': '2' }),
  unavailable: problems.busy,
  failed: problems.failed,
}

/** Where a code says more than its kind, or has another status. */
const problemsOfCodes: Readonly<Partial<Record<HttpError['code'], Partial<Problem>>>> = {
  key_retired: { headers: { 'retry-after': '1' } },
  fields_invalid: { message: 'Some fields are not valid.' },
  token_invalid: problems.invalidToken,
  quota_exceeded: { message: 'Too many requests. Try again later.' },
  idempotency_key_reused: { status: 422, message: 'This Idempotency-Key was used for another request.' },
  idempotency_key_under_way: {
    message: 'Another request with this Idempotency-Key is under way. Try again.',
    headers: { 'retry-after': '1' },
  },
  secret_gone: { message: 'The secret that this Idempotency-Key created is gone.' },
  upload_broken: problems.badMultipart,
  files_off: { message: 'This service takes no files.' },
  // A client does not send it again by itself (RFC 4918, section 11.5), so there is no Retry-After.
  disk_full: {
    status: 507,
    message: 'There is no room for files on the disk of this service now. Without files it can be created.',
    headers: {},
  },
  key_wrong: { message: 'The key of this link is missing or wrong. Nothing was opened.' },
  password_required: { message: 'A password is required.' },
  password_wrong: { message: 'The password is not the right one.' },
  form_already_used: { message: 'This form was used already.' },
  answer_not_sealed: {
    status: 422,
    message: 'Some fields are not valid.',
    errors: { note: ['must be encrypted with the key of this request, and not longer than any answer'] },
  },
  answer_without_files: { message: 'This request takes no files. Nothing was handed in.' },
  too_many_answers: { message: 'Too many answers from your network. Try again later.' },
}

/** The problem that answers an error of the core. */
export function problemOf(error: HttpError): Problem {
  const problem = problemOfCode(error.code)
  switch (error.code) {
    case 'storage_unavailable':
      return problems[troubleOf(error)]
    case 'fields_invalid':
      return fieldsProblem(fieldMessages(error.errors))
    case 'file_too_large': {
      const file = error.number === undefined ? 'A file' : `File ${error.number}`
      return {
        ...problem,
        message: `${file} is too large. It may have at most ${sizeInWords(error.maxBytes)}.`,
      }
    }
    case 'files_full':
      return {
        ...problem,
        message: `The files of the account would be too large. They may have at most ${sizeInWords(error.maxBytes)} together.`,
      }
    case 'quota_exceeded': {
      const reset = { 'x-ratelimit-reset': String(Math.ceil(error.resetAtMicros / 1_000_000)) }
      return withHeaders(problem, { ...retryAfter(error), ...reset })
    }
    default:
      return 'retryAfterSeconds' in error ? withHeaders(problem, retryAfter(error)) : problem
  }
}

function problemOfCode(code: HttpError['code']): Problem {
  const kind = errorKinds[code]
  const missing = kind === 'not_found' && { message: `There is no such ${missingOf(code)}.` }
  return { ...problemsOfKinds[kind], ...missing, ...problemsOfCodes[code] }
}

/** What is wrong with the service itself: a problem of HTTP, and a text of pages, of the same name. */
export type Trouble = 'uncertain' | 'unwritable' | 'busy' | 'failed'

/** The errors of the service itself: nothing is wrong with what was sent. */
type ServiceError = Extract<
  HttpError,
  { readonly code: CodesOfKind<typeof errorKinds, 'busy' | 'unavailable' | 'failed'> }
>

/** The storage cannot be written until its operator does something, or a disk or server is back. Nothing was changed. */
const unwritable: readonly string[] = ['full', 'disk_failed', 'read_only', 'moved']

/** What is wrong with the service itself, by an error that says so. */
export function troubleOf(error: ServiceError): Trouble {
  if (isOutcomeUnknown(error)) return 'uncertain'
  if (error.code === 'storage_unavailable' && unwritable.includes(error.reason)) return 'unwritable'
  return errorKinds[error.code] === 'failed' ? 'failed' : 'busy'
}

/** Whether what was asked for may have been done all the same. */
export function isOutcomeUnknown(error: { readonly code: string; readonly reason?: unknown }): boolean {
  return error.code === 'storage_unavailable' && error.reason === 'outcome_unknown'
}

/** The 400 that lists every invalid field. */
export function fieldsProblem(errors: FieldMessages): Problem {
  return { ...problemOfCode('fields_invalid'), ...(Object.keys(errors).length > 0 ? { errors } : {}) }
}

function refused(status: number): Problem {
  return { status, message: 'The request was refused.' }
}

function retryAfter({ retryAfterSeconds }: { readonly retryAfterSeconds: number }) {
  return { 'retry-after': String(retryAfterSeconds) }
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
