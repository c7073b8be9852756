import { checkbox, filledText, markup, type Html } from '@sotto/html'
import type { LocalizedDashboard } from '../shared/localized.ts'

export interface SealFieldInput {
  /** Whether the script ticks the box. */
  readonly isTicked: boolean
  /** What the server says about an empty text. */
  readonly empty: string
  readonly noteMaxBytes: number
}

/** The box that has a new secret encrypted in the browser. Only the script of the page can do that, which shows it. */
export function sealField(
  { texts, counted }: LocalizedDashboard,
  { isTicked, empty, noteMaxBytes }: SealFieldInput,
): Html {
  const { lone_surrogate: broken, too_long_bytes: tooLong } = texts.common.fieldErrors
  const { wording, number } = counted(tooLong, noteMaxBytes)
  const long = filledText(wording, { limit: number })
  return markup`<div data-seal="${isTicked ? 'ticked' : 'offer'}" data-max="${noteMaxBytes}" data-empty="${empty}" data-broken="${broken}" data-long="${long}" hidden>
    ${checkbox({ name: 'seal', label: texts.sealed.box })}
    <p class="hint">${texts.sealed.hint}</p>
  </div>`
}

/** What the server can read all the same. */
export function readableHint({ texts }: LocalizedDashboard): Html {
  return markup`<span data-when="sealed refused" hidden>${texts.sealed.readable}</span>`
}

/** Why there is no draft while the box is ticked. It is said aloud once the button was pressed. */
export function draftRefusal({ texts }: LocalizedDashboard): Html {
  const { noDraft } = texts.sealed
  return markup`<span data-when="sealed" hidden>${noDraft}</span><strong role="status" data-when="refused" hidden>${noDraft}</strong>`
}
