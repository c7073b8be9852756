/** The languages of the pages and mails (BCP 47). */
export const languages = ['en', 'de', 'fr', 'es', 'ar', 'ja'] as const

/** One of {@link languages}. */
export type Language = (typeof languages)[number]

/** Reads a language's tag; `undefined` when it is none of {@link languages}. */
export function parseLanguage(text: string): Language | undefined {
  return languages.find((language) => language === text)
}
