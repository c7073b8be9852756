import { languages, type Language } from '@sotto/core'
import type { DashboardTexts } from './en/dashboard.ts'
import type { LinkTexts } from './en/link.ts'
import type { MailTexts } from './en/mails.ts'
import type { LanguageFacts } from './language-facts.ts'

/** Everything that a language says. */
export interface Texts {
  readonly language: LanguageFacts
  readonly link: LinkTexts
  readonly dashboard: DashboardTexts
  readonly mails: MailTexts
}

/** The texts of a language are in the folder that its tag names, so no other list names it. A language is one file in what is bundled. */
const loaded = await Promise.all(
  languages.map(async (language) => {
    const { texts } = (await import(`./${language}/texts.ts`)) as { readonly texts: Texts }
    return [language, texts] as const
  }),
)

/** A part of the texts in all languages. */
export function inAllLanguages<Part extends keyof Texts>(
  part: Part,
): Readonly<Record<Language, Texts[Part]>> {
  const parts = loaded.map(([language, texts]) => [language, texts[part]])
  return Object.fromEntries(parts) as Record<Language, Texts[Part]>
}
