// Generated from packages/core/src/shared/language.ts. Do not edit: run "npm run write languages".
import type { Language } from '@sotto/core'
import { language as en } from './en/language.ts'
import { language as de } from './de/language.ts'
import { language as fr } from './fr/language.ts'
import { language as es } from './es/language.ts'
import { language as ar } from './ar/language.ts'
import { language as ja } from './ja/language.ts'
import type { LanguageFacts } from './language-facts.ts'

/** All languages. Each has a folder with everything that it says. */
export const languageFacts: Readonly<Record<Language, LanguageFacts>> = { en, de, fr, es, ar, ja }

export type { LanguageFacts }
