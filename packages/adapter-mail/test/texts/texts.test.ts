import { languages } from '@sotto/core'
import t from 'tap'
import { createWriter } from '../../src/letter/writer.ts'
import type { MailTexts } from '../../src/texts/texts.ts'

const textsOf = (language: (typeof languages)[number]): MailTexts => createWriter(language, 'Sotto').texts

/** Every text and its path. */
function leaves(value: unknown, path = ''): readonly (readonly [path: string, text: string])[] {
  if (typeof value === 'string') return [[path, value]]
  return Object.entries(value as object).flatMap(([key, inner]) => leaves(inner, `${path}.${key}`))
}

for (const language of languages) {
  t.test(`${language} writes each count with a wording of its own`, (t) => {
    const { heading } = textsOf(language).opened
    const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions()
    t.same(Object.keys(heading).sort(), [...pluralCategories].sort())
    t.end()
  })

  t.test(`${language} leaves no text empty, and none in English`, (t) => {
    const english = new Set(leaves(textsOf('en')).map(([, text]) => text))
    for (const [path, text] of leaves(textsOf(language))) {
      t.equal(text, text.trim(), path)
      t.not(text, '', path)
      t.match(
        text.replace(/\{(count|name|url|host)\}/g, ''),
        /^[^{}]*$/,
        `${path} has known placeholders only`,
      )
      if (language !== 'en' && path !== '.direction') t.notOk(english.has(text), path)
    }
    t.end()
  })
}

t.test('a placeholder in the name of the service is not filled', (t) => {
  const { fill } = createWriter('en', '{url}')
  t.equal(fill('{name} {url}', { url: 'x' }), '{url} x')
  t.end()
})
