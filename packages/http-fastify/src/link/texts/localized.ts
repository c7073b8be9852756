import { languages, type Language } from './languages.ts'
import type { Plural, Texts } from './texts.ts'

/** The texts of one language, and how it writes dates, spans of time and numbers. */
export interface Localized {
  readonly texts: Texts
  /** A time in UTC with its zone, as in “20 December 2026 at 12:57 UTC”. */
  dateTime(micros: number): string
  /** A span of time from now, in whole minutes and at least one, as in “in 28 minutes”. */
  fromNow(seconds: number): string
  /** A count of things: the wording of its plural category, and how the language writes the number. */
  counted<Wording extends string>(
    wordings: Plural<Wording>,
    count: number,
  ): { wording: Wording; number: string }
}

/** How a time is written. The page's script writes it again with these fields, in the reader's own time zone. */
export const dateTimeFields = {
  year: 'numeric',
  month: 'long',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  timeZoneName: 'short',
} as const satisfies Intl.DateTimeFormatOptions

const byLanguage = new Map<Language, Localized>()

/** Cached, because formatters are slow to create. */
export function localizedFor(language: Language): Localized {
  const known = byLanguage.get(language)
  if (known !== undefined) return known
  const localized = localize(languages[language])
  byLanguage.set(language, localized)
  return localized
}

function localize(texts: Texts): Localized {
  const dates = new Intl.DateTimeFormat(texts.locale, { ...dateTimeFields, timeZone: 'UTC' })
  const spans = new Intl.RelativeTimeFormat(texts.locale)
  const numbers = new Intl.NumberFormat(texts.locale)
  const rules = new Intl.PluralRules(texts.locale)
  return {
    texts,
    dateTime: (micros) => dates.format(Math.floor(micros / 1000)),
    fromNow: (seconds) => spans.format(Math.max(1, Math.ceil(seconds / 60)), 'minute'),
    counted: (wordings, count) => ({
      wording: wordings[rules.select(count)] ?? wordings.other,
      number: numbers.format(count),
    }),
  }
}
