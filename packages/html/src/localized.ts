import type { Language } from '@sotto/core'
import type { Brand } from './brand.ts'
import { languageFacts } from '@sotto/texts'
import { remembered } from './remembered.ts'
import { sizeText } from './size-text.ts'

/** One wording for each plural category of a language (`Intl.PluralRules`); `{count}` is replaced by the number. */
export type Plural<Wording extends string> = Partial<Record<Intl.LDMLPluralRule, Wording>> & {
  readonly other: Wording
}

/** What a page needs for its reader: an area's texts in one language, how it writes dates and numbers, and the service's brand. */
export interface Localized<Texts = unknown> {
  readonly language: Language
  readonly direction: 'ltr' | 'rtl'
  readonly texts: Texts
  readonly brand: Brand
  /** A time in UTC with its zone, as in “20 December 2026 at 12:57 UTC”. */
  dateTime(micros: number): string
  /** The hour of a time in UTC, as in “12:57 UTC”. */
  hour(micros: number): string
  /** A time in UTC by its day, as in “yesterday, 12:57 UTC” or “20 December at 12:57 UTC”. The year is named if it is another one. */
  day(micros: number, nowMicros: number): string
  /** A span of time from now in its largest sensible unit, at least a minute, as in “in 28 minutes”, “in 7 days” or “3 hours ago”. */
  fromNow(seconds: number): string
  /** How the language writes a number. */
  number(value: number): string
  /** How many bytes, rounded down, as in “12.3 MB”. KB are 1,024 bytes. */
  size(bytes: number): string
  /** Several things, as in “read and write”. */
  list(items: readonly string[]): string
  /** A count of things: the wording of its plural category, and how the language writes the number. */
  counted<Wording extends string>(
    wordings: Plural<Wording>,
    count: number,
  ): { wording: Wording; number: string }
}

/** Gives the localized texts of an area in a language. */
export type Localizer<Texts> = (language: Language) => Localized<Texts>

/** How a time is written. The script of a page writes it again with these fields, in the reader's own time zone. */
export const dateTimeFields = {
  year: 'numeric',
  month: 'long',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  timeZoneName: 'short',
} as const satisfies Intl.DateTimeFormatOptions

/** Each language is prepared when it is first asked for, and once, because formatters are slow to create. */
export function createLocalizer<Texts>(
  textsOf: Readonly<Record<Language, Texts>>,
  brand: Brand,
): Localizer<Texts> {
  const prepared = new Map<Language, Localized<Texts>>()
  return (language) => {
    const known = prepared.get(language)
    if (known !== undefined) return known
    const localized = localize(language, textsOf[language], brand)
    prepared.set(language, localized)
    return localized
  }
}

/** One page's language, for pages that are in one language only. */
export function localize<Texts>(language: Language, texts: Texts, brand: Brand): Localized<Texts> {
  const { locale, direction, comma } = languageFacts[language]
  const dates = new Intl.DateTimeFormat(locale, { ...dateTimeFields, timeZone: 'UTC' })
  const { year: _, month, day, ...hour } = dateTimeFields
  const daysOfYear = new Intl.DateTimeFormat(locale, { month, day, ...hour, timeZone: 'UTC' })
  const hours = new Intl.DateTimeFormat(locale, { ...hour, timeZone: 'UTC' })
  // A minute has one text, because no field is smaller.
  const dateTimes = remembered((minute: number) => dates.format(minute * 60_000))
  const spans = new Intl.RelativeTimeFormat(locale)
  const spanTexts = {
    minute: remembered((count: number) => spans.format(count, 'minute')),
    hour: remembered((count: number) => spans.format(count, 'hour')),
    day: remembered((count: number) => spans.format(count, 'day')),
  }
  const words = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  const numbers = new Intl.NumberFormat(locale)
  const number = remembered((value: number) => numbers.format(value))
  const sizes = remembered((bytes: number) => sizeText(bytes, locale))
  const lists = new Intl.ListFormat(locale)
  const rules = new Intl.PluralRules(locale)
  return {
    language,
    direction,
    texts,
    brand,
    dateTime: (micros) => dateTimes(Math.floor(micros / minuteMicros)),
    hour: (micros) => hours.format(Math.floor(micros / 1000)),
    day(micros, nowMicros) {
      const [at, now] = [new Date(Math.floor(micros / 1000)), new Date(Math.floor(nowMicros / 1000))]
      const distance = Math.floor(micros / dayMicros) - Math.floor(nowMicros / dayMicros)
      if (Math.abs(distance) <= 1) return words.format(distance, 'day') + comma + hours.format(at)
      return (at.getUTCFullYear() === now.getUTCFullYear() ? daysOfYear : dates).format(at)
    },
    fromNow(seconds) {
      const [count, unit] = spanOf(seconds)
      return spanTexts[unit](count)
    },
    number,
    size: sizes,
    list: (items) => lists.format(items),
    counted: (wordings, count) => ({
      wording: wordings[rules.select(count)] ?? wordings.other,
      number: number(count),
    }),
  }
}

const minuteMicros = 60_000_000
const dayMicros = 1_440 * minuteMicros

function spanOf(seconds: number): [count: number, unit: 'minute' | 'hour' | 'day'] {
  const minutes = Math.max(1, Math.ceil(Math.abs(seconds) / 60))
  const sign = seconds > 0 ? 1 : -1
  if (minutes < 90) return [sign * minutes, 'minute']
  return minutes < 36 * 60
    ? [sign * Math.round(minutes / 60), 'hour']
    : [sign * Math.round(minutes / 1_440), 'day']
}
