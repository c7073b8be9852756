import { randomUUID } from 'node:crypto'
import { problemText } from '@sotto/wire'
import type { Page } from '@sotto/html'
import type { Trouble } from '../http/answers/problems-of-errors.ts'
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

/** The answer when something is wrong with the service itself. Only what may have happened is not to be tried again at once. */
export function troubleAnswer(problem: Problem, trouble: Trouble): LinkAnswer {
  const next = trouble === 'uncertain' ? 'restart' : 'retry'
  return problemAnswer(problem, (localized) => noticePage(localized, localized.texts[trouble], next))
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
