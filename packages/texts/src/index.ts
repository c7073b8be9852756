import { inAllLanguages } from './all-languages.ts'
import type { LanguageFacts } from './language-facts.ts'

/** All languages. Each has a folder with everything that it says. */
export const languageFacts = await inAllLanguages(async (language) => {
  const texts = (await import(`./${language}/language.ts`)) as { readonly language: LanguageFacts }
  return texts.language
})

export type { LanguageFacts }
