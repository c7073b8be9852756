/** What a page in a language says about itself. */
export interface LanguageFacts {
  /** Its name in itself, for a choice of languages. */
  readonly name: string
  /** For dates and numbers: BCP 47. */
  readonly locale: string
  readonly direction: 'ltr' | 'rtl'
}

/** All languages of the pages, by primary subtag (BCP 47). Each area of pages has its texts in every one of them. */
export const languages = {
  en: { name: 'English', locale: 'en-GB', direction: 'ltr' },
  de: { name: 'Deutsch', locale: 'de', direction: 'ltr' },
  fr: { name: 'Français', locale: 'fr', direction: 'ltr' },
  es: { name: 'Español', locale: 'es', direction: 'ltr' },
  ar: { name: 'العربية', locale: 'ar', direction: 'rtl' },
  ja: { name: '日本語', locale: 'ja', direction: 'ltr' },
} as const satisfies Record<string, LanguageFacts>

export type Language = keyof typeof languages

/** In order of preference; the first is for clients that accept none of them. */
export const languageTags: readonly [Language, ...Language[]] = ['en', 'de', 'fr', 'es', 'ar', 'ja']
