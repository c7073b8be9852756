import { randomUUID } from 'node:crypto'
import { problemText } from '@sotto/wire'
import type { Page } from '@sotto/html'
import { problems, type Problem } from '../http/answers/problems.ts'
import { noticePage, unknownPage } from './link-page.ts'
import type { LocalizedLink } from './localized-link.ts'

/** One answer in both of its forms. The client's headers decide which of them is sent. */
export interface LinkAnswer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>> | undefined
  json(): string
  page(localized: LocalizedLink): Page
}

/** 32 hexadecimal digits with 122 random bits. Node.js draws the bytes of many UUIDs at once, which takes a tenth of the time. */
export function newFormId(): string {
  return randomUUID().replaceAll('-', '')
}

/** The server cannot do it now; nothing was opened. */
export function busyAnswer(problem: Problem): LinkAnswer {
  return problemAnswer(problem, (localized) => noticePage(localized, localized.texts.busy, 'retry'))
}

/** An error of the server. */
export function failedAnswer(problem: Problem): LinkAnswer {
  return problemAnswer(problem, (localized) => noticePage(localized, localized.texts.failed, 'retry'))
}

/** A path that this service does not have. */
export const unknownPathAnswer: LinkAnswer = problemAnswer(problems.unknownPath, unknownPage)

/** A request with an invalid method, media type, size or content. */
export function unreadableAnswer(problem: Problem): LinkAnswer {
  return problemAnswer(problem, (localized) => noticePage(localized, localized.texts.unreadable, 'restart'))
}

/** A problem, and the page about it. */
export function problemAnswer(problem: Problem, page: (localized: LocalizedLink) => Page): LinkAnswer {
  return { status: problem.status, headers: problem.headers, json: () => problemText(problem), page }
}
