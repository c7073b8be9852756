/** What a language says about itself, and how it writes. */
export interface LanguageFacts {
  /** The language's name in itself, for a choice of languages. */
  readonly name: string
  /** The locale of dates and numbers: BCP 47. */
  readonly locale: string
  readonly direction: 'ltr' | 'rtl'
  /** The word before the title of a page that refuses something. */
  readonly error: string
  /** What joins a day and an hour, as in “yesterday, 12:57”. */
  readonly comma: string
}
