import type { Html } from '@sotto/html'
import { show, type PageAnswer } from './answers.ts'
import { questionPage } from './question-page.ts'
import type { OwnerVisit } from './visit.ts'

/** What is asked about. */
export interface Question {
  /** The path of its page. */
  readonly path: string
  /** Where somebody goes back who changes their mind; its page by default. */
  readonly back?: string
  /** What is done to it: the last segment of the path that does it. */
  readonly verb: 'destroy' | 'delete'
  /** The label that its owner gave it. */
  readonly label: string
  readonly heading: string
  readonly lead: string
  /** More fields of the form. */
  readonly fields?: Html
  readonly button: string
}

/** Asks once before a secret, draft or folder is erased. */
export function askBefore(
  { localized }: OwnerVisit,
  { path, verb, back = path, ...question }: Question,
): PageAnswer {
  const page = questionPage(localized, {
    ...question,
    place: 'secrets',
    action: `${path}/${verb}`,
    back,
  })
  return show(page)
}
