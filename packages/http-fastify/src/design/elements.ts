import { languages, type Language } from '@sotto/core'
import { markup, type Html } from './html.ts'
import { languageFacts } from './languages.ts'
import type { Localized } from './localized.ts'
import { copyIcon } from './mark.ts'

/** A time as text. The script of the page writes it in the reader's own time zone. */
export function timeElement(localized: Localized, micros: number): Html {
  return markup`<time datetime="${isoOf(micros)}">${localized.dateTime(micros)}</time>`
}

/** How long a time is from now, or ago, with the full time for those who ask. */
export function spanElement(localized: Localized, micros: number, nowMicros: number): Html {
  const text = localized.fromNow((micros - nowMicros) / 1_000_000)
  return markup`<time datetime="${isoOf(micros)}" title="${localized.dateTime(micros)}">${text}</time>`
}

function isoOf(micros: number): string {
  return new Date(Math.floor(micros / 1000)).toISOString()
}

/** The same page in each language. @param label the heading of the choice, for screen readers */
export function languageLinks(
  { language }: Localized,
  label: string,
  urlOf = (tag: Language): string => `?lang=${tag}`,
): Html {
  const link = (tag: Language): Html =>
    markup`<a href="${urlOf(tag)}" lang="${tag}" hreflang="${tag}"${tag === language && markup` aria-current="true"`}>${languageFacts[tag].name}</a>`
  return markup`<nav class="languages" aria-label="${label}">${languages.map(link)}</nav>`
}

/** The texts of a button that copies. */
export interface CopyTexts {
  readonly copy: string
  readonly copied: string
  readonly copyFailed: string
}

/**
 * A button that copies the text of the element `target`, and says whether it did. Hidden until the page's script shows it.
 * @param look `quiet` beside other text, `main` where copying is what the page is for, `main first` where it also has the focus
 */
export function copyBar(
  target: string,
  { copy, copied, copyFailed }: CopyTexts,
  look: 'quiet' | 'main' | 'main first' = 'quiet',
): Html {
  return markup`<div class="bar" hidden>
    <p class="status" role="status"></p>
    <button type="button" class="${look}" id="copy-${target}" data-copy="${target}" data-done="${copied}" data-failed="${copyFailed}">${copyIcon}${copy}</button>
  </div>`
}
