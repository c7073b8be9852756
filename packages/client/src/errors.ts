import type { ProblemBody } from '@sotto/wire'

/** What each status of Sotto's problems means. */
export const codesOfStatus = {
  400: 'invalid_request',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  408: 'request_timeout',
  409: 'conflict',
  410: 'gone',
  413: 'too_large',
  414: 'url_too_long',
  415: 'unsupported_media_type',
  422: 'key_reused',
  429: 'rate_limited',
  431: 'headers_too_large',
  500: 'server_error',
  503: 'unavailable',
  507: 'no_room',
} as const

/**
 * What went wrong; stable, unlike the message. Besides those of Sotto's own problems:
 * - `network_failure`: no answer came, or it was cut off.
 * - `redirected`: the answer leads elsewhere, and the client does not follow with a token or a password.
 * - `file_unreadable`: a file cannot be read, or has changed since it was chosen; the message names it. In a browser this is a `network_failure`.
 * - `key_missing`, `key_wrong`: the link is of a sealed secret, or of a request with encrypted answers, and its key, which is what follows the
 *   `#`, is missing or another one. Nothing was opened or sent.
 * - `undecryptable`: what was opened cannot be decrypted with the key of the link; `sealed` has the sealed text.
 * - `malformed_answer`: the answer is not one of Sotto's. Usually the address is that of something else.
 * - `other_problem`: a problem of Sotto's with a status that this version of the client does not know.
 */
export type SottoErrorCode =
  | (typeof codesOfStatus)[keyof typeof codesOfStatus]
  | 'network_failure'
  | 'redirected'
  | 'file_unreadable'
  | 'key_missing'
  | 'key_wrong'
  | 'undecryptable'
  | 'malformed_answer'
  | 'other_problem'

interface SottoErrorDetails {
  readonly status?: number | undefined
  readonly errors?: SottoError['errors']
  readonly retryAfterSeconds?: number | undefined
  readonly sealed?: string | undefined
  readonly cause?: unknown
}

/** Everything that a call throws, except the reason of its signal and `TypeError` for wrong use. */
export class SottoError extends Error {
  override readonly name = 'SottoError'
  readonly code: SottoErrorCode
  /** The HTTP status; `undefined` when no answer came or the answer was not Sotto's. */
  readonly status: number | undefined
  /** What is wrong with each invalid field, by its name on the wire, such as `folder_id`. */
  readonly errors: Readonly<Record<string, readonly string[]>> | undefined
  /** The seconds after which to try again, where the answer says so. */
  readonly retryAfterSeconds: number | undefined
  /** The sealed text that could not be decrypted. */
  readonly sealed: string | undefined

  constructor(code: SottoErrorCode, message: string, details: SottoErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.code = code
    this.status = details.status
    this.errors = details.errors
    this.retryAfterSeconds = details.retryAfterSeconds
    this.sealed = details.sealed
  }
}

/** The error of an answer that is no success. */
export function errorOfAnswer({ status, headers }: Response, body: string): SottoError {
  const retryAfterSeconds = retryAfter(status, headers)
  const problem = problemIn(body)
  if (problem === undefined && status === 413)
    return new SottoError('too_large', 'What is in front of the service takes no request of this length.')
  if (problem === undefined) return malformed(`status ${status}`, { retryAfterSeconds })
  const { message, errors } = problem
  const codes: Readonly<Record<number, SottoErrorCode>> = codesOfStatus
  const code = (errors === undefined ? codes[status] : 'invalid_request') ?? 'other_problem'
  return new SottoError(code, message, { status, errors, retryAfterSeconds })
}

/** @param what what is wrong with the answer; never a part of it */
export function malformed(what: string, details: SottoErrorDetails = {}): SottoError {
  return new SottoError('malformed_answer', `The answer is not one of Sotto's (${what}).`, details)
}

/** Only these statuses ask to come back later. A proxy may write a date instead of seconds, which is left aside. */
function retryAfter(status: number, headers: Headers): number | undefined {
  const text = headers.get('retry-after') ?? ''
  return [409, 429, 503].includes(status) && /^\d{1,9}$/.test(text) ? Number(text) : undefined
}

/** The declarations name no other package, so `ProblemBody` stays inside. */
function problemIn(body: string): ProblemBody | undefined {
  try {
    const problem = JSON.parse(body) as { success?: unknown; message?: unknown } | null
    if (problem?.success !== false || typeof problem.message !== 'string') return undefined
    return problem as unknown as ProblemBody
  } catch {
    return undefined
  }
}
