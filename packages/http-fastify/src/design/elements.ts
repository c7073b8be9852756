import { markup, type Html } from './html.ts'
import type { Localized } from './localized.ts'
import { copyIcon } from './mark.ts'

/** A time as text. The script of the page writes it in the reader's own time zone. */
export function timeElement(localized: Localized, micros: number): Html {
  const machine = new Date(Math.floor(micros / 1000)).toISOString()
  return markup`<time datetime="${machine}">${localized.dateTime(micros)}</time>`
}

/** The texts of a button that copies. */
export interface CopyTexts {
  readonly copy: string
  readonly copied: string
  readonly copyFailed: string
}

/**
 * A button that copies the text of the element `target`, and says whether it did. Hidden until the page's script shows it.
 * @param look `quiet` beside other text, or `main` where copying is what the page is for
 */
export function copyBar(
  target: string,
  { copy, copied, copyFailed }: CopyTexts,
  look: 'quiet' | 'main' = 'quiet',
): Html {
  return markup`<div class="bar" hidden>
    <p class="status" role="status"></p>
    <button type="button" class="${look}" id="copy-${target}" data-copy="${target}" data-done="${copied}" data-failed="${copyFailed}">${copyIcon}${copy}</button>
  </div>`
}
