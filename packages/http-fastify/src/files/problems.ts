import type { Problem } from '../http/answers/problems.ts'

/** The problems that only fetching a file has. */
export const fileProblems = {
  otherFile: { status: 412, message: 'The file is another one.' },
  noSuchRange: { status: 416, message: 'The file has no such range.' },
} as const satisfies Record<string, Problem>
