import type { Language } from '@sotto/core'

/** What a page in a language says about itself. */
export interface LanguageFacts {
  /** The language's name in itself, for a choice of languages. */
  readonly name: string
  /** The locale of dates and numbers: BCP 47. */
  readonly locale: string
  readonly direction: 'ltr' | 'rtl'
  /** The word before the title of a page that refuses something. */
  readonly error: string
}

/** All languages. Each area of pages has its texts in every one of them. */
export const languageFacts: Readonly<Record<Language, LanguageFacts>> = {
  en: { name: 'English', locale: 'en-GB', direction: 'ltr', error: 'Error: ' },
  de: { name: 'Deutsch', locale: 'de', direction: 'ltr', error: 'Fehler: ' },
  fr: { name: 'Français', locale: 'fr', direction: 'ltr', error: 'Erreur\u00a0: ' },
  es: { name: 'Español', locale: 'es', direction: 'ltr', error: 'Error: ' },
  ar: { name: 'العربية', locale: 'ar', direction: 'rtl', error: 'خطأ: ' },
  ja: { name: '日本語', locale: 'ja', direction: 'ltr', error: 'エラー：' },
}
