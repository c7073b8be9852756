import type { Problem } from '../http/answers/problems.ts'

/** The problems that only answering a request has. */
export const requestProblems = {
  crossSite: { status: 403, message: 'Only the page of the request itself may answer it.' },
  noRoom: {
    status: 413,
    message: 'There is no room for these files. Nothing was handed in: send fewer or smaller ones, or none.',
  },
  diskFull: {
    status: 507,
    message: 'This service has no room for files now. Nothing was handed in: send the answer without files.',
  },
  notFile: {
    status: 400,
    message: 'Every part after answer must be named file, and have a filename.',
  },
  mediaType: {
    status: 415,
    message:
      'The body must be sent as Content-Type: application/json or application/x-www-form-urlencoded in UTF-8, without a Content-Encoding.',
  },
} as const satisfies Record<string, Problem>
