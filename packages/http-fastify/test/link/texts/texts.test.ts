import t from 'tap'
import { languages, languageTags, type Language } from '../../../src/link/texts/languages.ts'
import { localizedFor } from '../../../src/link/texts/localized.ts'

/** Every text of a language by the path of its key. */
function flat(value: unknown, path = ''): [string, string][] {
  if (typeof value === 'string') return [[path, value]]
  return Object.entries(value as object).flatMap(([key, inner]) =>
    flat(inner, path === '' ? key : `${path}.${key}`),
  )
}

const placeholders = (text: string): string[] =>
  [...text.matchAll(/\{\w+\}/g)].map(([name]) => name).toSorted()
const withoutPlurals = (texts: [string, string][]) =>
  texts.filter(([path]) => !path.startsWith('opened.left.'))

t.test('all languages are offered, the default first', async (t) => {
  t.same([...languageTags].toSorted(), Object.keys(languages).toSorted())
  t.equal(languageTags[0], 'en')
  for (const tag of languageTags) t.equal(languages[tag].language, tag)
})

t.test('all languages have the same keys, none of them empty', async (t) => {
  const keys = withoutPlurals(flat(languages.en)).map(([path]) => path)
  for (const tag of languageTags) {
    t.same(
      withoutPlurals(flat(languages[tag]))
        .map(([path]) => path)
        .toSorted(),
      keys.toSorted(),
      tag,
    )
    for (const [path, text] of flat(languages[tag])) t.match(text, /^\S(?:[^]*\S)?$/, `${tag} ${path}`)
  }
})

t.test('all languages have the same placeholders', async (t) => {
  const english = new Map(flat(languages.en).map(([path, text]) => [path, placeholders(text)]))
  for (const tag of languageTags) {
    for (const [path, text] of withoutPlurals(flat(languages[tag])))
      t.same(placeholders(text), english.get(path), `${tag} ${path}`)
    for (const text of Object.values(languages[tag].opened.left)) t.match(text, '{time}', tag)
  }
})

t.test('each language has a wording for each of its plural categories', async (t) => {
  for (const tag of languageTags) {
    const needed = new Intl.PluralRules(tag).resolvedOptions().pluralCategories
    t.same(Object.keys(languages[tag].opened.left).toSorted(), needed.toSorted(), tag)
  }
})

t.test('nothing is left in English by mistake', async (t) => {
  const english = new Map(flat(languages.en))
  for (const tag of languageTags.filter((each) => each !== 'en')) {
    const same = flat(languages[tag]).filter(
      ([path, text]) => english.get(path) === text && path !== 'direction',
    )
    t.same(same, [], tag)
  }
})

t.test('only Arabic is right to left', async (t) => {
  const rtl = languageTags.filter((tag) => languages[tag].direction === 'rtl')
  t.same(rtl, ['ar'])
})

t.test('times are in UTC and say so', async (t) => {
  const micros = Date.UTC(2026, 11, 20, 12, 57, 3) * 1000 + 123_456
  const expected: Record<Language, string> = {
    en: '20 December 2026 at 12:57 UTC',
    de: '20. Dezember 2026 um 12:57 UTC',
    fr: '20 décembre 2026 à 12:57 UTC',
    es: '20 de diciembre de 2026, 12:57 UTC',
    ar: 'UTC',
    ja: '2026年12月20日 12:57 UTC',
  }
  for (const tag of ['en', 'de', 'fr', 'ja'] as const)
    t.equal(localizedFor(tag).dateTime(micros), expected[tag], tag)
  for (const tag of languageTags) t.match(localizedFor(tag).dateTime(micros), 'UTC', tag)
})

t.test('spans of time are in whole minutes and at least one', async (t) => {
  const { fromNow } = localizedFor('en')
  t.equal(fromNow(1), 'in 1 minute')
  t.equal(fromNow(0), 'in 1 minute')
  t.equal(fromNow(61), 'in 2 minutes')
  t.equal(fromNow(1800), 'in 30 minutes')
  t.equal(localizedFor('de').fromNow(1800), 'in 30 Minuten')
})

t.test('numbers have the wording of their plural category', async (t) => {
  const { counted, texts } = localizedFor('en')
  t.match(counted(texts.opened.left, 1).wording, 'more time,')
  t.match(counted(texts.opened.left, 2).wording, 'more times,')
  t.equal(counted(texts.opened.left, 1_000_000).number, '1,000,000')
  const arabic = localizedFor('ar')
  t.equal(arabic.counted(arabic.texts.opened.left, 2).wording, arabic.texts.opened.left.two)
})
