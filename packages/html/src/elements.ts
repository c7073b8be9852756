import { languages, shownText, type Language } from '@sotto/core'
import { markup, type Html } from './html.ts'
import { languageNames } from './language-names.ts'
import type { Localized } from './localized.ts'
import { copyIcon } from './mark.ts'
import { remembered } from './remembered.ts'

/** A text that somebody wrote, in its own direction. Whatever it has cannot change how the text around it is read. */
export function isolated(text: string): Html {
  return markup`<bdi>${shownText(text)}</bdi>`
}

/** A text that programs which translate pages leave as it is. */
export function untranslated(text: string): Html {
  return markup`<bdi translate="no">${shownText(text)}</bdi>`
}

/*
 * Every time has itself in full in its title. Without a script both are in UTC. The script of the page writes both in the reader's own time
 * zone, and names the zone in the title only.
 */

/** A time in full. @param as `zoned`: its zone is named in any case, for a text that goes to somebody else */
export function timeElement(localized: Localized, micros: number, as: 'local' | 'zoned' = 'local'): Html {
  return timeWith(localized, micros, localized.dateTime(micros), as)
}

/** A time of today, or within hours of now, by its hour and minute. */
export function hourElement(localized: Localized, micros: number): Html {
  return timeWith(localized, micros, localized.hour(micros), 'hour')
}

/** A time by its day, as people say it, and its hour. The script of the page needs `dayTimes`. */
export function dayElement(localized: Localized, micros: number, nowMicros: number): Html {
  return timeWith(localized, micros, localized.day(micros, nowMicros), 'day')
}

/** How long a time is from now, or ago: the same in every zone. */
export function spanElement(localized: Localized, micros: number, nowMicros: number): Html {
  return timeWith(localized, micros, localized.fromNow((micros - nowMicros) / 1_000_000))
}

const isoOf = remembered((minute: number) => `${new Date(minute * 60_000).toISOString().slice(0, 16)}Z`)

function timeWith(localized: Localized, micros: number, text: string, as?: string): Html {
  return markup`<time datetime="${isoOf(Math.floor(micros / 60_000_000))}" title="${localized.dateTime(micros)}"${as !== undefined && markup` data-${as}`}>${text}</time>`
}

/** Links to the page in each language. @param label the heading of the choice, for screen readers */
export function languageLinks(
  { language }: Pick<Localized, 'language'>,
  label: string,
  urlOf = (tag: Language): string => `?lang=${tag}`,
): Html {
  const link = (tag: Language): Html =>
    markup`<a href="${urlOf(tag)}" lang="${tag}"${tag === language && markup` aria-current="true"`}>${languageNames[tag]}</a>`
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
