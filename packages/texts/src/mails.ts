// Generated from packages/core/src/shared/language.ts. Do not edit: run "npm run write languages".
import type { Language } from '@sotto/core'
import { mails as en } from './en/mails.ts'
import { mails as de } from './de/mails.ts'
import { mails as fr } from './fr/mails.ts'
import { mails as es } from './es/mails.ts'
import { mails as ar } from './ar/mails.ts'
import { mails as ja } from './ja/mails.ts'
import type { MailTexts } from './en/mails.ts'

/** The texts of all mails in all languages. */
export const mailTexts: Readonly<Record<Language, MailTexts>> = { en, de, fr, es, ar, ja }

export type { MailTexts }
