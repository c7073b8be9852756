// Writes the lists of packages/texts/src, which have each kind of texts in all languages, from the tags that core lists: `npm run write languages`.
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { format, resolveConfig } from 'prettier'
import { languages } from '../packages/core/src/index.ts'

const SOURCES = resolve(import.meta.dirname, '..', 'packages', 'texts', 'src')

/** Each language exports `part` from the file of this name in its folder; the list exports them together as `name`. */
const LISTS = [
  {
    ...{ file: 'index.ts', part: 'language', name: 'languageFacts' },
    ...{ type: 'LanguageFacts', typeFile: './language-facts.ts' },
    comment: 'All languages. Each has a folder with everything that it says.',
  },
  {
    ...{ file: 'link.ts', part: 'link', name: 'linkTexts' },
    ...{ type: 'LinkTexts', typeFile: './en/link.ts' },
    comment: 'The texts of the pages of links in all languages.',
  },
  {
    ...{ file: 'dashboard.ts', part: 'dashboard', name: 'dashboardTexts' },
    ...{ type: 'DashboardTexts', typeFile: './en/dashboard.ts' },
    comment: "The texts of the owner's pages in all languages.",
  },
  {
    ...{ file: 'mails.ts', part: 'mails', name: 'mailTexts' },
    ...{ type: 'MailTexts', typeFile: './en/mails.ts' },
    comment: 'The texts of all mails in all languages.',
  },
]

if (import.meta.main) for (const [path, text] of await listsOf(languages)) writeFileSync(path, text)

/** The lists of these languages, by their paths. @param {readonly string[]} tags @returns {Promise<Map<string, string>>} */
export async function listsOf(tags) {
  const style = await resolveConfig(join(SOURCES, 'index.ts'))
  const lists = LISTS.map(async ({ file, ...list }) => {
    const text = await format(sourceOf(list, tags), { ...style, parser: 'typescript' })
    return /** @type {const} */ ([join(SOURCES, file), text])
  })
  return new Map(await Promise.all(lists))
}

/** @param {Omit<typeof LISTS[number], 'file'>} list @param {readonly string[]} tags */
function sourceOf({ part, name, type, typeFile, comment }, tags) {
  return `// Generated from packages/core/src/shared/language.ts. Do not edit: run "npm run write languages".
import type { Language } from '@sotto/core'
${tags.map((tag) => `import { ${part} as ${tag} } from './${tag}/${part}.ts'`).join('\n')}
import type { ${type} } from '${typeFile}'

/** ${comment} */
export const ${name}: Readonly<Record<Language, ${type}>> = { ${tags.join(', ')} }

export type { ${type} }
`
}
