import type { Problem } from '../http/answers/problems.ts'

/** The problems that only opening a link has. */
export const openProblems = {
  crossSite: { status: 403, message: 'Only the page of the link itself may open it.' },
  mediaType: {
    status: 415,
    message:
      'The body must be empty, or sent as Content-Type: application/json or application/x-www-form-urlencoded in UTF-8, without a Content-Encoding.',
  },
} as const satisfies Record<string, Problem>
