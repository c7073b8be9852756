import type { Problem } from '../http/answers/problems.ts'

/** The problems that only links have. */
export const linkProblems = {
  badForm: { status: 400, message: 'The body is not a valid form.' },
  crossSite: { status: 403, message: 'Only the page of the link itself may open it.' },
  crossSiteRequest: { status: 403, message: 'Only the page of the request itself may answer it.' },
  mediaType: {
    status: 415,
    message:
      'The body must be empty, or sent as Content-Type: application/json or application/x-www-form-urlencoded in UTF-8, without a Content-Encoding.',
  },
  answerMediaType: {
    status: 415,
    message:
      'The body must be sent as Content-Type: application/json or application/x-www-form-urlencoded in UTF-8, without a Content-Encoding.',
  },
  otherFile: { status: 412, message: 'The file is another one.' },
  noSuchRange: { status: 416, message: 'The file has no such range.' },
} as const satisfies Record<string, Problem>
