import type { Language } from '@sotto/core'

/** What a page in a language says about itself. */
export interface LanguageFacts {
  /** Its name in itself, for a choice of languages. */
  readonly name: string
  /** For dates and numbers: BCP 47. */
  readonly locale: string
  readonly direction: 'ltr' | 'rtl'
}

/** Of each language. Each area of pages has its texts in every one of them. */
export const languageFacts: Readonly<Record<Language, LanguageFacts>> = {
  en: { name: 'English', locale: 'en-GB', direction: 'ltr' },
  de: { name: 'Deutsch', locale: 'de', direction: 'ltr' },
  fr: { name: 'Français', locale: 'fr', direction: 'ltr' },
  es: { name: 'Español', locale: 'es', direction: 'ltr' },
  ar: { name: 'العربية', locale: 'ar', direction: 'rtl' },
  ja: { name: '日本語', locale: 'ja', direction: 'ltr' },
}
