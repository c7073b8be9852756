import { inAllLanguages } from './texts.ts'

/** All languages. Each has a folder with everything that it says. */
export const languageFacts = inAllLanguages('language')

export type { LanguageFacts } from './language-facts.ts'
