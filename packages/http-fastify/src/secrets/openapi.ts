import * as Type from 'typebox'
import { problemOf } from '../http/answers/problems-of-errors.ts'
import { problems } from '../http/answers/problems.ts'
import { answerOrPage, bodyContent, problemOrPage, readable } from '../openapi/content.ts'
import type { Operation, PathItem } from '../openapi/types.ts'
import { badForm } from '../link/link-body.ts'
import { openProblems } from './open-problems.ts'

/**
 * The path on which links are opened.
 * @param linkBaseUrl its origin
 * @param linkProblemsOf the problems of every request for a link
 */
export function openPaths(
  linkBaseUrl: string,
  linkProblemsOf: Operation['responses'],
): Record<string, PathItem> {
  return {
    '/{link_token}': {
      servers: [{ url: linkBaseUrl }],
      ...readable(previewLink(linkProblemsOf)),
      post: openLink(linkProblemsOf),
    },
  }
}

const linkToken = {
  name: 'link_token',
  in: 'path',
  required: true,
  description: 'The opaque token of the link.',
  schema: Type.String(),
} as const

const previewLink = (linkProblemsOf: Operation['responses']): Operation => ({
  operationId: 'previewLink',
  tags: ['Links'],
  summary: 'Look at a link',
  description:
    'Consumes nothing, however often it is requested. Answers with the page on which a person chooses to open, or with JSON if ' +
    '`Accept` prefers it.',
  security: [],
  parameters: [linkToken],
  responses: {
    200: answerOrPage('The link can be opened.', 'LinkPreview'),
    303: {
      description:
        'Punctuation follows the token. `Location` is the path of the link, whether or not there is one.',
    },
    ...linkProblemsOf,
  },
})

const openLink = (linkProblemsOf: Operation['responses']): Operation => ({
  operationId: 'openLink',
  tags: ['Links'],
  summary: 'Open a link',
  description:
    'Counts one open and answers with the note: as JSON, or as a page if `Accept` prefers it. After the last open that its limit allows the ' +
    'note is deleted. An empty body means no password.',
  security: [],
  parameters: [linkToken],
  requestBody: {
    required: false,
    content: {
      'application/json': bodyContent('OpenRequest'),
      'application/x-www-form-urlencoded': bodyContent('OpenForm'),
    },
  },
  responses: {
    200: answerOrPage('The opened secret.', 'OpenedSecret'),
    ...linkProblemsOf,
    400: problemOrPage(
      'Not valid HTTP, a missing or malformed Host, invalid JSON or form, or invalid fields: all of them are listed.',
      badForm,
    ),
    401: problemOrPage(
      'A password is required, or it is wrong. Only a wrong one is counted.',
      problemOf({ code: 'password_required' }),
    ),
    403: problemOrPage('The request comes from a page of another site.', openProblems.crossSite),
    409: problemOrPage('This form has opened the link before.', problemOf({ code: 'form_already_used' })),
    413: problemOrPage('The body is too large.', problems.bodyTooLarge),
    415: problemOrPage(
      'The body is neither JSON nor a form in UTF-8, or it is compressed.',
      openProblems.mediaType,
    ),
    429: problemOrPage(
      'Too many wrong passwords, or too many simultaneous attempts.',
      problemOf({ code: 'link_locked', reason: 'wrong_passwords', retryAfterSeconds: 1_800 }),
    ),
    500: problemOrPage('An error of the service. The note was not delivered.', problems.failed),
    503: problemOrPage(
      'The service is busy or shutting down, and nothing was opened; or the connection to its database broke, and the message says that ' +
        'the request may have taken effect: an open may be used up.',
      problems.busy,
    ),
  },
})
