import type { Language } from '../../design/languages.ts'
import type { Localized } from '../../design/localized.ts'
import { ar } from './ar.ts'
import { de } from './de.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { ja } from './ja.ts'
import type { Texts } from './texts.ts'

/** The texts of the pages of links in all languages. */
export const linkTexts = { en, de, fr, es, ar, ja } as const satisfies Record<Language, Texts>

export type LocalizedLink = Localized<Texts>
