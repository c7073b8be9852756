import * as Type from 'typebox'
import { problemOf } from '../../http/answers/problems-of-errors.ts'
import { methodNotAllowed, problems } from '../../http/answers/problems.ts'
import { linkProblems } from '../../link/link-problems.ts'
import { answerOrPage, bodyContent, plainProblem, problemOrPage, readable } from '../../openapi/content.ts'
import { filePaths } from '../../files/openapi.ts'
import { requestPaths } from '../../requests/openapi.ts'
import type { Operation, PathItem, Response } from '../../openapi/types.ts'

/** The paths on which links are opened. @param linkBaseUrl their origin */
export function linkPaths(linkBaseUrl: string): Record<string, PathItem> {
  const servers = [{ url: linkBaseUrl }]
  return {
    '/{link_token}': { servers, ...readable(previewLink), post: openLink },
    ...requestPaths(linkBaseUrl, commonProblems),
    ...filePaths(linkBaseUrl, commonProblems),
    '/robots.txt': { servers, ...readable(robots) },
  }
}

const linkToken = {
  name: 'link_token',
  in: 'path',
  required: true,
  description: 'The opaque token of the link.',
  schema: Type.String(),
} as const

const notFound: Response = problemOrPage(
  'The same for an unknown, a malformed, an expired, a used-up, a destroyed and a disabled link.',
  problemOf({ code: 'link_not_found' }),
)

/** The problems of every request on the host of the links. */
const commonProblems: Operation['responses'] = {
  400: problemOrPage('Not valid HTTP, or a missing or malformed Host.', problems.badHost),
  404: notFound,
  405: problemOrPage('Another method.', methodNotAllowed(['GET', 'HEAD', 'POST'])),
  408: plainProblem('The request took too long to arrive.', problems.timeout),
  414: problemOrPage('The URL has more than 2,048 bytes.', problems.urlTooLong),
  431: plainProblem('The headers have more than 16 KiB.', problems.headersTooLarge),
  500: problemOrPage('An error of the service.', problems.serverError),
  503: problemOrPage(
    'The service is busy, full or shutting down, and nothing was done; or the connection to its database broke, and the message says that ' +
      'the request may have taken effect.',
    problems.unavailable,
  ),
}

const previewLink: Operation = {
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
    ...commonProblems,
  },
}

const openLink: Operation = {
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
    ...commonProblems,
    400: problemOrPage(
      'Not valid HTTP, a missing or malformed Host, invalid JSON or form, or invalid fields: all of them are listed.',
      linkProblems.badForm,
    ),
    401: problemOrPage(
      'A password is required, or it is wrong. Only a wrong one is counted.',
      problemOf({ code: 'password_required' }),
    ),
    403: problemOrPage('The request comes from a page of another site.', linkProblems.crossSite),
    409: problemOrPage('This form has opened the link before.', problemOf({ code: 'form_already_used' })),
    413: problemOrPage('The body is too large.', problems.bodyTooLarge),
    415: problemOrPage(
      'The body is neither JSON nor a form in UTF-8, or it is compressed.',
      linkProblems.mediaType,
    ),
    429: problemOrPage(
      'Too many wrong passwords, or too many simultaneous attempts.',
      problemOf({ code: 'link_locked', reason: 'wrong_passwords', retryAfterSeconds: 1_800 }),
    ),
    500: problemOrPage('An error of the service. The note was not delivered.', problems.serverError),
    503: problemOrPage(
      'The service is busy or shutting down, and nothing was opened; or the connection to its database broke, and the message says that ' +
        'the request may have taken effect: an open may be used up.',
      problems.unavailable,
    ),
  },
}

const robots: Operation = {
  operationId: 'robots',
  tags: ['Service'],
  summary: 'Rules for search engines',
  security: [],
  responses: {
    200: {
      description: 'Nothing may be indexed.',
      content: {
        'text/plain; charset=utf-8': { schema: Type.String(), example: 'User-agent: *\nDisallow: /\n' },
      },
    },
    ...commonProblems,
    404: plainProblem('Only on another host.', problems.unknownPath),
  },
}
