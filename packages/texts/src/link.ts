// Generated from packages/core/src/shared/language.ts. Do not edit: run "npm run write languages".
import type { Language } from '@sotto/core'
import { link as en } from './en/link.ts'
import { link as de } from './de/link.ts'
import { link as fr } from './fr/link.ts'
import { link as es } from './es/link.ts'
import { link as ar } from './ar/link.ts'
import { link as ja } from './ja/link.ts'
import type { LinkTexts } from './en/link.ts'

/** The texts of the pages of links in all languages. */
export const linkTexts: Readonly<Record<Language, LinkTexts>> = { en, de, fr, es, ar, ja }

export type { LinkTexts }
