import { ar } from './ar.ts'
import { de } from './de.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { ja } from './ja.ts'
import type { Texts } from './texts.ts'

/** All languages of the pages, by primary subtag. */
export const languages = { en, de, fr, es, ar, ja } as const satisfies Record<string, Texts>

export type Language = keyof typeof languages

/** In order of preference; the first is for clients that accept none of them. */
export const languageTags: readonly [Language, ...Language[]] = ['en', 'de', 'fr', 'es', 'ar', 'ja']
