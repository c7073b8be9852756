import { show, type Answer } from '../answers.ts'
import { questionPage } from '../pages/question-page.ts'
import type { OwnerVisit } from '../visit.ts'

/** What is asked about. */
export interface Question {
  /** Its page, to which somebody goes back who changes their mind. */
  readonly path: string
  /** What is done to it: the last segment of the path that does it. */
  readonly verb: 'destroy' | 'delete'
  /** As its owner named it. */
  readonly label: string
  readonly heading: string
  readonly lead: string
  readonly button: string
}

/** Asks once before a secret, draft or folder is erased. */
export function askBefore({ localized }: OwnerVisit, { path, verb, ...question }: Question): Answer {
  const page = questionPage(localized, {
    ...question,
    place: 'secrets',
    action: `${path}/${verb}`,
    back: path,
  })
  return show(page)
}
