import type { Language } from '@sotto/core'
import { languageFacts } from '@sotto/texts'
import { mailTexts, type MailTexts } from '@sotto/texts/mails'

/** How a language writes. */
export interface Writer {
  readonly texts: MailTexts
  readonly direction: 'ltr' | 'rtl'
  /** A time in UTC with its zone, as in “20 December 2026 at 12:57 UTC”: a mail does not know its reader's zone. */
  dateTime(micros: number): string
  number(value: number): string
  /** The wording for a number, with the number in it. */
  counted(wordings: MailTexts['opened']['heading'], count: number): string
  /** A sentence whose placeholders are replaced; `{name}` is the name of the service. */
  fill(sentence: string, fillings?: Readonly<Record<string, string>>): string
}

export function createWriter(language: Language, name: string): Writer {
  const texts = mailTexts[language]
  const { locale, direction } = languageFacts[language]
  const fill: Writer['fill'] = (sentence, fillings = {}) => {
    const known: Readonly<Record<string, string>> = { name, ...fillings }
    return sentence.replace(/\{(\w+)\}/g, (_, key: string) => known[key] ?? '')
  }
  const number: Writer['number'] = (value) => new Intl.NumberFormat(locale).format(value)
  return {
    texts,
    direction,
    fill,
    number,
    dateTime: (micros) => dateTimeIn(locale, micros),
    counted: (wordings, count) => {
      const wording = wordings[new Intl.PluralRules(locale).select(count)] ?? wordings.other
      return fill(wording, { count: number(count) })
    },
  }
}

function dateTimeIn(locale: string, micros: number): string {
  const format = new Intl.DateTimeFormat(locale, {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZone: 'UTC',
    timeZoneName: 'short',
  })
  return format.format(Math.floor(micros / 1000))
}
