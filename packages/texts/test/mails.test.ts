import { languages } from '@sotto/core'
import t from 'tap'
import { mailTexts } from '../src/mails.ts'

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
    const { heading } = mailTexts[language].opened
    const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions()
    t.same(Object.keys(heading).sort(), [...pluralCategories].sort())
    t.end()
  })

  t.test(`${language} has every key, and every placeholder`, (t) => {
    const { opened, ...texts } = mailTexts[language]
    const { opened: englishOpened, ...english } = mailTexts.en
    t.same(placeholdersOf(texts), placeholdersOf(english))
    t.equal(Object.keys(opened).join(), Object.keys(englishOpened).join())
    t.match(opened.heading.other, '{count}')
    t.end()
  })

  t.test(`${language} leaves no text empty, and none in English`, (t) => {
    const english = new Set(leaves(mailTexts.en).map(([, text]) => text))
    for (const [path, text] of leaves(mailTexts[language])) {
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
