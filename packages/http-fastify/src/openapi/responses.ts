import type { Policy } from '@sotto/core'
import { problemSchema, type FieldMessages } from '@sotto/wire'
import * as Type from 'typebox'
import { fieldsProblem, problemOf } from '../http/answers/problems-of-errors.ts'
import { problems, type Problem } from '../http/answers/problems.ts'
import { exampleOf, pageContent, problemContent, problemHeaders } from './content.ts'
import type { Content, Header, Reference, Response } from './types.ts'

const quotaHeaders = {
  'x-ratelimit-limit': { $ref: '#/components/headers/RateLimitLimit' },
  'x-ratelimit-remaining': { $ref: '#/components/headers/RateLimitRemaining' },
}

/** The headers of answers. */
export function headerComponents({ quota: { perMinute } }: Pick<Policy, 'quota'>): Record<string, Header> {
  return {
    RateLimitLimit: {
      description: 'How many requests are allowed in a minute. On every answer of the API.',
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
      description: 'When the used-up window ends, in seconds since the Unix epoch.',
      schema: Type.Integer(),
      example: 1_795_165_260,
    },
    RetryAfter: {
      description: 'After how many seconds to try again.',
      schema: Type.Integer({ minimum: 1 }),
      example: 21,
    },
    WwwAuthenticate: {
      description: 'Which credentials are needed, and what is wrong with those that were sent (RFC 6750).',
      schema: Type.String(),
      example: 'Bearer realm="sotto"',
    },
    Allow: { description: 'The methods of the path.', schema: Type.String(), example: 'GET, HEAD' },
    Location: {
      description: 'The path of the new secret.',
      schema: Type.String({ format: 'uri-reference' }),
    },
    IdempotentReplayed: {
      description: 'Only there when an earlier request with the same `Idempotency-Key` created the secret.',
      required: false,
      schema: Type.Literal('true'),
    },
  }
}

/** Every problem of the API. */
export const responseComponents: Readonly<Record<string, Response>> = {
  BadRequest: problemResponse(
    'Not valid HTTP, a missing or malformed Host, invalid JSON (duplicate keys and invalid UTF-8 included), or invalid fields: all of them are listed.',
    fieldsProblem(exampleOf(problemSchema.properties.errors) as FieldMessages),
  ),
  Unauthorized: withPage(
    problemResponse(
      'No access token; or one that is malformed, unknown, revoked, expired, or of a disabled account: ' +
        'then `WWW-Authenticate` also contains `error="invalid_token"`. A request whose `Accept` prefers `text/html`, as that of ' +
        'a browser does, gets the login page in place of JSON where this service has one.',
      problems.noToken,
    ),
  ),
  Forbidden: problemResponse('The access token lacks the scope.', problems.insufficientScope),
  NotFound: problemResponse('Unknown path.', problems.unknownPath),
  SecretNotFound: problemResponse(
    "The same for an unknown, a malformed and an expired id, and for that of a draft or of another account's secret.",
    problemOf({ code: 'secret_not_found' }),
  ),
  RequestTimeout: problemResponse('The request took too long to arrive.', problems.timeout),
  RequestUnderWay: problemResponse(
    'Another request with the same `Idempotency-Key` was at work at the same time. Sent again, this one gets its answer.',
    problemOf({ code: 'idempotency_key_under_way' }),
  ),
  SecretGone: problemResponse(
    'The secret that was created with this `Idempotency-Key` has been destroyed. It is not created again.',
    problemOf({ code: 'secret_gone' }),
  ),
  KeyReused: problemResponse(
    'The `Idempotency-Key` was used for another request within the last 24 hours.',
    problemOf({ code: 'idempotency_key_reused' }),
  ),
  ContentTooLarge: problemResponse(
    'The body is too large, or a file, or all files of the account together; the message says which.',
    problems.bodyTooLarge,
  ),
  UriTooLong: problemResponse('The URL has more than 2,048 bytes.', problems.urlTooLong),
  UnsupportedMediaType: problemResponse(
    'Another `Content-Type` than those of the body, another charset than UTF-8, or a Content-Encoding.',
    problems.mediaType,
  ),
  TooManyRequests: problemResponse(
    'The quota of the minute or of the day is used up. The request was not counted.',
    problemOf({ code: 'quota_exceeded', resetAtMicros: 0, retryAfterSeconds: 21 }),
  ),
  HeadersTooLarge: problemResponse('The headers have more than 16 KiB.', problems.headersTooLarge),
  ServerError: problemResponse('An error of the service.', problems.failed),
  Unavailable: problemResponse(
    'The service is busy, full or shutting down, and nothing was done; or the connection to its database broke, and the message says ' +
      'that the request may have taken effect.',
    problems.busy,
  ),
}

/** A successful answer of the API, with its quota headers. */
export function dataResponse(description: string, content: Content, headers?: Response['headers']): Response {
  return { description, headers: { ...quotaHeaders, ...headers }, content }
}

export function problemResponse(description: string, problem: Problem): Response {
  return {
    description,
    headers: { ...quotaHeaders, ...problemHeaders(problem) },
    content: problemContent(problem),
  }
}

/** An answer that may also be a page. */
function withPage(response: Response): Response {
  return { ...response, content: { ...response.content, ...pageContent } }
}

/** The problems of every request of the API. */
export const commonProblems: Readonly<Record<string, Reference>> = refsByStatus({
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

/** The further problems of requests with a body. */
export const bodyProblems: Readonly<Record<string, Reference>> = refsByStatus({
  413: 'ContentTooLarge',
  415: 'UnsupportedMediaType',
})

function refsByStatus(names: Readonly<Record<number, string>>): Record<string, Reference> {
  return Object.fromEntries(
    Object.entries(names).map(([status, name]) => [status, { $ref: `#/components/responses/${name}` }]),
  )
}
