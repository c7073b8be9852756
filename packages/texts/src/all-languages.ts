import { languages, type Language } from '@sotto/core'

/** Something of every language. The texts of a language are in the folder that its tag names, so no other list names it. */
export async function inAllLanguages<Texts>(
  load: (language: Language) => Promise<Texts>,
): Promise<Readonly<Record<Language, Texts>>> {
  const loaded = languages.map(async (tag) => [tag, await load(tag)])
  return Object.fromEntries(await Promise.all(loaded)) as Record<Language, Texts>
}
