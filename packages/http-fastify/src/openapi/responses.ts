import type { Limits } from '@sotto/core'
import { Type } from 'typebox'
import { methodNotAllowed, refusals, type Refusal } from '../refusals.ts'
import { refusalOf } from '../error-answers.ts'
import { errorText } from '../answers.ts'
import type { Header, Reference, Response } from './types.ts'

const json = 'application/json; charset=utf-8'
const quotaHeaders = {
  'x-ratelimit-limit': { $ref: '#/components/headers/RateLimitLimit' },
  'x-ratelimit-remaining': { $ref: '#/components/headers/RateLimitRemaining' },
}
const headerRefs: Readonly<Record<string, Reference>> = {
  'www-authenticate': { $ref: '#/components/headers/WwwAuthenticate' },
  'retry-after': { $ref: '#/components/headers/RetryAfter' },
  'x-ratelimit-reset': { $ref: '#/components/headers/RateLimitReset' },
  allow: { $ref: '#/components/headers/Allow' },
}

/** The headers that answers bring. */
export function headerComponents({ quota: { perMinute } }: Limits): Record<string, Header> {
  return {
    RateLimitLimit: {
      description: 'How many requests a minute holds. On every answer of the API.',
      schema: Type.Integer({ minimum: 1 }),
      example: perMinute,
    },
    RateLimitRemaining: {
      description:
        'How many requests are left in this minute, or in the day if those are fewer. On every answer of the API.',
      schema: Type.Integer({ minimum: 0 }),
      example: perMinute - 1,
    },
    RateLimitReset: {
      description: 'When the window ends that is full, in seconds since the Unix epoch.',
      schema: Type.Integer(),
      example: 1_795_165_260,
    },
    RetryAfter: {
      description: 'In how many seconds to come again.',
      schema: Type.Integer({ minimum: 1 }),
      example: 21,
    },
    WwwAuthenticate: {
      description: 'What is asked for, and what is wrong with what was given (RFC 6750).',
      schema: Type.String(),
      example: 'Bearer realm="sotto"',
    },
    Allow: { description: 'The methods that the path knows.', schema: Type.String(), example: 'GET, HEAD' },
    Location: { description: 'Where the new secret is.', schema: Type.String({ format: 'uri-reference' }) },
  }
}

const fieldsAtFault: Refusal = {
  ...refusalOf({ code: 'fields_invalid', faults: [{ field: 'label', rule: 'required' }] }),
  errors: { label: ['is required'], open_limit: ['must be a whole number'] },
}
const quotaUsedUp = refusalOf({ code: 'quota_exceeded', resetAtMicros: 0, retryAfterSeconds: 21 })

/** Every error of the API. */
export const responseComponents: Readonly<Record<string, Response>> = {
  BadRequest: errorResponse(
    'No or bad Host, no valid JSON (duplicate keys and invalid UTF-8 included), or fields at fault: all of them are listed.',
    fieldsAtFault,
  ),
  Unauthorized: errorResponse(
    'No access token; or one that is malformed, unknown, revoked, expired, or of a disabled account: ' +
      'then `WWW-Authenticate` also says `error="invalid_token"`.',
    refusals.noToken,
  ),
  Forbidden: errorResponse('The access token lacks the scope.', refusals.insufficientScope),
  NotFound: errorResponse('Unknown path.', refusals.unknownPath),
  SecretNotFound: errorResponse(
    "Unknown, malformed or expired id, or that of a draft or of another account's secret: all of them alike.",
    refusalOf({ code: 'secret_not_found' }),
  ),
  MethodNotAllowed: errorResponse('Known path, other method.', methodNotAllowed(['GET', 'HEAD'])),
  RequestTimeout: errorResponse('The request took too long to arrive.', refusals.timeout),
  ContentTooLarge: errorResponse('The body is too large.', refusals.bodyTooLarge),
  UriTooLong: errorResponse('The URL has more than 2,048 bytes.', refusals.urlTooLong),
  UnsupportedMediaType: errorResponse(
    'No `Content-Type: application/json`, another charset than UTF-8, or a Content-Encoding.',
    refusals.mediaType,
  ),
  TooManyRequests: errorResponse(
    'The minute or the day is used up. The request was not counted.',
    quotaUsedUp,
  ),
  HeadersTooLarge: errorResponse('The headers have more than 16 KiB.', refusals.headersTooLarge),
  ServerError: errorResponse("The service's own fault.", refusals.serverError),
  Unavailable: errorResponse('The service is busy, full or shutting down.', refusals.unavailable),
}

/** A successful answer in JSON with its quota headers. */
export function dataResponse(
  description: string,
  media: { schema: Response['content']; headers?: Response['headers'] },
): Response {
  return {
    description,
    headers: { ...quotaHeaders, ...media.headers },
    ...(media.schema && { content: media.schema }),
  }
}

function errorResponse(description: string, refusal: Refusal): Response {
  const brought = Object.keys(refusal.headers ?? {}).map(
    (name) => [name, headerRefs[name] ?? { $ref: '' }] as const,
  )
  return {
    description,
    headers: { ...quotaHeaders, ...Object.fromEntries(brought) },
    content: {
      [json]: {
        schema: { $ref: '#/components/schemas/Error' },
        example: JSON.parse(errorText(refusal)) as unknown,
      },
    },
  }
}

/** What any request of the API may get. */
export const commonErrors: Readonly<Record<string, Reference>> = refsByStatus({
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  408: 'RequestTimeout',
  414: 'UriTooLong',
  429: 'TooManyRequests',
  431: 'HeadersTooLarge',
  500: 'ServerError',
  503: 'Unavailable',
})

/** What a request with a body may get besides. */
export const bodyErrors: Readonly<Record<string, Reference>> = refsByStatus({
  413: 'ContentTooLarge',
  415: 'UnsupportedMediaType',
})

function refsByStatus(names: Readonly<Record<number, string>>): Record<string, Reference> {
  return Object.fromEntries(
    Object.entries(names).map(([status, name]) => [status, { $ref: `#/components/responses/${name}` }]),
  )
}
