import type { Language } from '@sotto/core'
import { ar } from './ar/mails.ts'
import { de } from './de/mails.ts'
import { en, type MailTexts } from './en/mails.ts'
import { es } from './es/mails.ts'
import { fr } from './fr/mails.ts'
import { ja } from './ja/mails.ts'

/** The texts of all mails in all languages. */
export const mailTexts: Readonly<Record<Language, MailTexts>> = { en, de, fr, es, ar, ja }

export type { MailTexts }
