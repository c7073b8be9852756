import { languages, type Language } from '@sotto/core'
import { languageFacts } from '@sotto/texts'
import { inLatin1, type Html } from './html.ts'

/** The name of each language, for pages in all of them. */
export const languageNames = Object.fromEntries(
  languages.map((tag) => [tag, inLatin1(languageFacts[tag].name)]),
) as Readonly<Record<Language, Html>>
