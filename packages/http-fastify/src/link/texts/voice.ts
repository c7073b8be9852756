import { languages, type Language } from './languages.ts'
import type { Plural, Texts } from './texts.ts'

/** The texts of one language and its ways with dates, spans of time and numbers. */
export interface Voice {
  readonly texts: Texts
  /** A moment in UTC with its zone, as in “20 December 2026 at 12:57 UTC”. */
  moment(micros: number): string
  /** A span of time from now on, in whole minutes and at least one, as in “in 28 minutes”. */
  from(seconds: number): string
  /** A number of things: the wording that the language wants for it, and how it writes the number. */
  counted<Wording extends string>(
    wordings: Plural<Wording>,
    count: number,
  ): { wording: Wording; number: string }
}

/** How a moment is written. The page's script writes it again with these fields, in the reader's own time zone. */
export const momentFields = {
  year: 'numeric',
  month: 'long',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  timeZoneName: 'short',
} as const satisfies Intl.DateTimeFormatOptions

const voices = new Map<Language, Voice>()

/** Made on first use and kept: formatters are slow to make. */
export function voiceOf(language: Language): Voice {
  const known = voices.get(language)
  if (known !== undefined) return known
  const voice = makeVoice(languages[language])
  voices.set(language, voice)
  return voice
}

function makeVoice(texts: Texts): Voice {
  const dates = new Intl.DateTimeFormat(texts.locale, { ...momentFields, timeZone: 'UTC' })
  const spans = new Intl.RelativeTimeFormat(texts.locale)
  const numbers = new Intl.NumberFormat(texts.locale)
  const rules = new Intl.PluralRules(texts.locale)
  return {
    texts,
    moment: (micros) => dates.format(Math.floor(micros / 1000)),
    from: (seconds) => spans.format(Math.max(1, Math.ceil(seconds / 60)), 'minute'),
    counted: (wordings, count) => ({
      wording: wordings[rules.select(count)] ?? wordings.other,
      number: numbers.format(count),
    }),
  }
}
