import type { FieldMessages } from '@sotto/wire'

/** An answer that is not a success: its status, its body and its own headers. */
export interface Problem {
  /** The status of the answer. */
  readonly status: number
  readonly message: string
  readonly errors?: FieldMessages
  readonly headers?: Readonly<Record<string, string>>
}

/** The challenge of RFC 6750, section 3. */
const challenge = 'Bearer realm="sotto"'

/** The problems of HTTP itself. Those of the core's errors are in problems-of-errors.ts. */
export const problems = {
  badRequest: { status: 400, message: 'The request is not valid HTTP.' },
  badHost: { status: 400, message: 'The Host header is missing or malformed.' },
  badJson: { status: 400, message: 'The body is not valid JSON.' },
  byteOrderMark: {
    status: 400,
    message: 'The body begins with a byte order mark (BOM). Send it without one.',
  },
  utf16: { status: 400, message: 'The body is in UTF-16. Send it in UTF-8.' },
  noUtf8: {
    status: 400,
    message:
      'The body is not in UTF-8, but probably in Latin-1 (ISO 8859-1, Windows-1252). Send it in UTF-8.',
  },
  badMultipart: { status: 400, message: 'The body is not valid multipart/form-data.' },
  noJsonObject: { status: 400, message: 'The body must be a JSON object.' },
  noToken: {
    status: 401,
    message: 'An access token is required: Authorization: Bearer <token>.',
    headers: { 'www-authenticate': challenge },
  },
  invalidToken: {
    status: 401,
    message: 'The access token is not valid.',
    headers: { 'www-authenticate': `${challenge}, error="invalid_token"` },
  },
  insufficientScope: {
    status: 403,
    message: 'The access token lacks the scope that this request needs.',
    headers: { 'www-authenticate': `${challenge}, error="insufficient_scope"` },
  },
  unknownPath: { status: 404, message: 'There is nothing at this path.' },
  timeout: { status: 408, message: 'The request took too long to arrive.' },
  bodyTooLarge: { status: 413, message: 'The body is too large.' },
  urlTooLong: { status: 414, message: 'The URL is too long.' },
  mediaType: {
    status: 415,
    message: 'The body must be sent as Content-Type: application/json in UTF-8, without a Content-Encoding.',
  },
  mediaTypeOrForm: {
    status: 415,
    message:
      'The body must be sent as Content-Type: application/json in UTF-8 or, with files, as multipart/form-data, without a ' +
      'Content-Encoding.',
  },
  headersTooLarge: { status: 431, message: 'The headers are too large.' },
  failed: { status: 500, message: 'Server error.' },
  shuttingDown: {
    status: 503,
    message: 'The service is shutting down. Try again later.',
    headers: { 'retry-after': '5' },
  },
  busy: {
    status: 503,
    message: 'The service is busy. Try again later.',
    headers: { 'retry-after': '5' },
  },
  uncertain: {
    status: 503,
    message:
      'The connection to the database broke: the request may have taken effect. Look before you send it again, or send it again with ' +
      'the same Idempotency-Key.',
    headers: { 'retry-after': '5' },
  },
  unwritable: {
    status: 503,
    message: 'The service cannot write now. Try again later.',
    headers: { 'retry-after': '5' },
  },
} as const satisfies Record<string, Problem>

/** The path exists, but not for this method (RFC 9110, section 15.5.6). */
export function methodNotAllowed(allowed: readonly string[]): Problem {
  return {
    status: 405,
    message: 'This path does not know this method.',
    headers: { allow: allowed.toSorted().join(', ') },
  }
}

/** The problem for a status that Fastify or a hook of the embedding application chose. */
export function problemOfStatus(status: number): Problem {
  const known = byStatus.get(status)
  if (known !== undefined) return known
  return status >= 400 && status < 500 ? { status, message: 'The request was refused.' } : problems.failed
}

/** The problem of something that was thrown: that of its `statusCode`, or else 500. */
export function problemOfThrown(thrown: unknown): Problem {
  const { statusCode = 500 } = (thrown ?? {}) as { readonly statusCode?: number }
  return problemOfStatus(statusCode)
}

const byStatus = new Map<number, Problem>([
  [400, problems.badRequest],
  [408, problems.timeout],
  [413, problems.bodyTooLarge],
  [414, problems.urlTooLong],
  [415, problems.mediaType],
  [431, problems.headersTooLarge],
  [503, problems.busy],
])
