import { inAllLanguages } from './texts.ts'

/** The texts of the pages of links in all languages. */
export const linkTexts = inAllLanguages('link')

export type { LinkTexts } from './en/link.ts'
