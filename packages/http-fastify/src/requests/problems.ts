import type { Problem } from '../http/answers/problems.ts'

/** The problems that only answering a request has. */
export const requestProblems = {
  crossSite: { status: 403, message: 'Only the page of the request itself may answer it.' },
  mediaType: {
    status: 415,
    message:
      'The body must be sent as Content-Type: application/json or application/x-www-form-urlencoded in UTF-8, without a Content-Encoding.',
  },
} as const satisfies Record<string, Problem>
