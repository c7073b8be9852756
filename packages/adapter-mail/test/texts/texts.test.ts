import { languages } from '@sotto/core'
import t from 'tap'
import { createWriter } from '../../src/letter/writer.ts'
import type { MailTexts } from '../../src/texts/en.ts'

const textsOf = (language: (typeof languages)[number]): MailTexts => createWriter(language, 'Sotto').texts

/** Every text and its path. */
function leaves(value: unknown, path = ''): readonly (readonly [path: string, text: string])[] {
  if (typeof value === 'string') return [[path, value]]
  return Object.entries(value as object).flatMap(([key, inner]) => leaves(inner, `${path}.${key}`))
}

/** The placeholders of each text, by its path. */
function placeholdersOf(texts: unknown): Readonly<Record<string, string>> {
  const named = leaves(texts).map(([path, text]) => [path, (text.match(/\{\w+\}/g) ?? []).toSorted().join()])
  return Object.fromEntries(named) as Record<string, string>
}

for (const language of languages) {
  t.test(`${language} writes each count with a wording of its own`, (t) => {
    const { heading } = textsOf(language).opened
    const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions()
    t.same(Object.keys(heading).sort(), [...pluralCategories].sort())
    t.end()
  })

  t.test(`${language} has every key, and every placeholder`, (t) => {
    const { opened, ...texts } = textsOf(language)
    const { opened: englishOpened, ...english } = textsOf('en')
    t.same(placeholdersOf(texts), placeholdersOf(english))
    t.equal(Object.keys(opened).join(), Object.keys(englishOpened).join())
    t.match(opened.heading.other, '{count}')
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
      if (language !== 'en') t.notOk(english.has(text), path)
    }
    t.end()
  })
}

t.test('a placeholder in the name of the service is not filled', (t) => {
  const { fill } = createWriter('en', '{url}')
  t.equal(fill('{name} {url}', { url: 'x' }), '{url} x')
  t.end()
})
