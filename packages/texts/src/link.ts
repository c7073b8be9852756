import { inAllLanguages } from './all-languages.ts'
import type { LinkTexts } from './en/link.ts'

/** The texts of the pages of links in all languages. */
export const linkTexts = await inAllLanguages(async (language) => {
  const texts = (await import(`./${language}/link.ts`)) as { readonly link: LinkTexts }
  return texts.link
})

export type { LinkTexts }
