import { inAllLanguages } from './texts.ts'

/** The texts of all mails in all languages. */
export const mailTexts = inAllLanguages('mails')

export type { MailTexts } from './en/mails.ts'
