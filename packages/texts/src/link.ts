import type { Language } from '@sotto/core'
import { ar } from './ar/link.ts'
import { de } from './de/link.ts'
import { en, type LinkTexts } from './en/link.ts'
import { es } from './es/link.ts'
import { fr } from './fr/link.ts'
import { ja } from './ja/link.ts'

/** The texts of the pages of links in all languages. */
export const linkTexts: Readonly<Record<Language, LinkTexts>> = { en, de, fr, es, ar, ja }

export type { LinkTexts }
