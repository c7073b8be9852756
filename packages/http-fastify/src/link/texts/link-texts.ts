import type { Language } from '@sotto/core'
import type { Localized } from '@sotto/html'
import { ar } from './ar.ts'
import { de } from './de.ts'
import { en, type LinkTexts } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { ja } from './ja.ts'

/** The texts of the pages of links in all languages. */
export const linkTexts: Readonly<Record<Language, LinkTexts>> = { en, de, fr, es, ar, ja }

export type LocalizedLink = Localized<LinkTexts>
