import * as Type from 'typebox'
import { problemOf } from '../http/answers/problems-of-errors.ts'
import { problems } from '../http/answers/problems.ts'
import { badForm } from '../link/link-body.ts'
import { answerOrPage, bodyContent, problemOrPage, readable } from '../openapi/content.ts'
import type { Operation, PathItem } from '../openapi/types.ts'
import { requestProblems } from './problems.ts'

/**
 * The path on which requests are answered.
 * @param linkBaseUrl its origin
 * @param linkProblemsOf the problems of every request for a link
 */
export function requestPaths(
  linkBaseUrl: string,
  linkProblemsOf: Operation['responses'],
): Record<string, PathItem> {
  const responses = {
    ...linkProblemsOf,
    404: problemOrPage(
      'The same for an unknown, a malformed, an expired, an answered and a closed request.',
      problemOf({ code: 'request_not_found' }),
    ),
  }
  return {
    '/r/{request_token}': {
      servers: [{ url: linkBaseUrl }],
      ...readable(previewRequest(responses)),
      post: answerRequest(responses),
    },
  }
}

const requestToken = {
  name: 'request_token',
  in: 'path',
  required: true,
  description: 'The opaque token of the request. It opens nothing.',
  schema: Type.String(),
} as const

const previewRequest = (responses: Operation['responses']): Operation => ({
  operationId: 'previewRequest',
  tags: ['Requests'],
  summary: 'Look at a request',
  description:
    'Changes nothing, however often it is requested. Answers with the page on which somebody hands in what is asked for, or with JSON if ' +
    '`Accept` prefers it.',
  security: [],
  parameters: [requestToken],
  responses: {
    200: answerOrPage('The request can be answered.', 'RequestPreview'),
    303: {
      description:
        'Punctuation follows the token. `Location` is the path of the request, whether or not there is one.',
    },
    ...responses,
  },
})

const answerRequest = (responses: Operation['responses']): Operation => ({
  operationId: 'answerRequest',
  tags: ['Requests'],
  summary: 'Answer a request',
  description:
    'Hands in a text, which the owner of the request can read from then on. Whether the request can be answered, and whether the address may, ' +
    'is decided before the body is read.',
  security: [],
  parameters: [requestToken],
  requestBody: {
    required: true,
    content: {
      'application/json': bodyContent('Answer'),
      'application/x-www-form-urlencoded': bodyContent('AnswerForm'),
    },
  },
  responses: {
    ...responses,
    201: answerOrPage('It was received, and is durable.', 'AnswerReceipt'),
    400: problemOrPage(
      'Not valid HTTP, a missing or malformed Host, invalid JSON or form, or invalid fields: all of them are listed.',
      badForm,
    ),
    403: problemOrPage('It comes from a page of another site.', requestProblems.crossSite),
    413: problemOrPage('The body is too large.', problems.bodyTooLarge),
    415: problemOrPage(
      'The body is neither JSON nor a form in UTF-8, or it is compressed.',
      requestProblems.mediaType,
    ),
    429: problemOrPage(
      'Too many answers from this address within an hour.',
      problemOf({ code: 'too_many_answers', retryAfterSeconds: 1_800 }),
    ),
  },
})
