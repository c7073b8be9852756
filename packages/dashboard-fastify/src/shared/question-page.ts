import { type Page, type Embedded, isolated, markup, type Html, peeking, sendOnce } from '@sotto/html'
import type { LocalizedDashboard } from './localized.ts'
import { ownerPage, type Place } from './layout.ts'
import { scriptOf } from './scripts.ts'

export interface QuestionInput {
  readonly place: Place
  readonly heading: string
  /** What it is about, as its owner named it. */
  readonly label?: string | undefined
  readonly lead: string
  /** Where the answer is posted to. */
  readonly action: string
  /** The button that does it. */
  readonly button: string
  /** The page that asked. */
  readonly back: string
  /** Whether the answer is a file, beside which the page stays: nothing is erased, and the button works again soon. */
  readonly isDownload?: boolean
  /** More fields of the form, such as one for the password. */
  readonly fields?: Html | undefined
  /** The style sheets of those fields. */
  readonly sheets?: readonly Embedded[] | undefined
}

/** Asks once before something that cannot be undone, or that needs a fresh re-authentication. */
export function questionPage(localized: LocalizedDashboard, input: QuestionInput): Page {
  const { heading, label, lead, action, button, back, fields, place, sheets, isDownload = false } = input
  const main = markup`<form class="panel question" method="post" action="${action}"${isDownload && markup` data-again="5000"`}>
      <h1>${heading}</h1>
      ${label !== undefined && markup`<p class="lead">${isolated(label)}</p>`}
      <p>${lead}</p>
      ${fields}
      <div class="actions">
        <button type="submit"${!isDownload && markup` class="danger"`}>${button}</button>
        <a class="button secondary" href="${back}">${localized.texts.common.cancel}</a>
      </div>
    </form>`
  return ownerPage({
    localized,
    title: heading,
    place,
    main,
    script: scriptOf(localized, main, [sendOnce, peeking]),
    sheets,
  })
}
