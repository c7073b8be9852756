import { inAllLanguages } from './all-languages.ts'
import type { MailTexts } from './en/mails.ts'

/** The texts of all mails in all languages. */
export const mailTexts = await inAllLanguages(async (language) => {
  const texts = (await import(`./${language}/mails.ts`)) as { readonly mails: MailTexts }
  return texts.mails
})

export type { MailTexts }
