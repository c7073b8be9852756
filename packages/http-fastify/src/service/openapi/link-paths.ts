import type { Policy } from '@sotto/core'
import * as Type from 'typebox'
import { problemOf } from '../../http/answers/problems-of-errors.ts'
import { methodNotAllowed, problems } from '../../http/answers/problems.ts'
import { openPaths } from '../../secrets/openapi.ts'
import { plainProblem, problemOrPage, readable } from '../../openapi/content.ts'
import { filePaths } from '../../files/openapi.ts'
import { requestPaths } from '../../requests/openapi.ts'
import type { Operation, PathItem, Response } from '../../openapi/types.ts'

/** The paths on the origin of links. @param linkBaseUrl their origin @param policy whether answers may have files */
export function linkPaths(linkBaseUrl: string, policy: Pick<Policy, 'files'>): Record<string, PathItem> {
  return {
    ...openPaths(linkBaseUrl, commonProblems),
    ...requestPaths(linkBaseUrl, commonProblems, policy),
    ...filePaths(linkBaseUrl, commonProblems),
    '/robots.txt': { servers: [{ url: linkBaseUrl }], ...readable(robots) },
  }
}

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
  500: problemOrPage('An error of the service.', problems.failed),
  503: problemOrPage(
    'The service is busy, full or shutting down, and nothing was done; or the connection to its database broke, and the message says that ' +
      'the request may have taken effect.',
    problems.busy,
  ),
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
