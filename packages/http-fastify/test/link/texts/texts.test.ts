import t from 'tap'
import { brandOf } from '../../../src/design/brand.ts'
import { languageTags } from '../../../src/design/languages.ts'
import { createLocalizer } from '../../../src/design/localized.ts'
import { linkTexts } from '../../../src/link/texts/link-texts.ts'

const localizedFor = createLocalizer(linkTexts, brandOf())

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

t.test('all languages have the same keys, none of them empty', async (t) => {
  const keys = withoutPlurals(flat(linkTexts.en)).map(([path]) => path)
  for (const tag of languageTags) {
    t.same(
      withoutPlurals(flat(linkTexts[tag]))
        .map(([path]) => path)
        .toSorted(),
      keys.toSorted(),
      tag,
    )
    for (const [path, text] of flat(linkTexts[tag])) t.match(text, /^\S(?:[^]*\S)?$/, `${tag} ${path}`)
  }
})

t.test('all languages have the same placeholders', async (t) => {
  const english = new Map(flat(linkTexts.en).map(([path, text]) => [path, placeholders(text)]))
  for (const tag of languageTags) {
    for (const [path, text] of withoutPlurals(flat(linkTexts[tag])))
      t.same(placeholders(text), english.get(path), `${tag} ${path}`)
    for (const text of Object.values(linkTexts[tag].opened.left)) t.match(text, '{time}', tag)
  }
})

t.test('each language has a wording for each of its plural categories', async (t) => {
  for (const tag of languageTags) {
    const needed = new Intl.PluralRules(tag).resolvedOptions().pluralCategories
    t.same(Object.keys(linkTexts[tag].opened.left).toSorted(), needed.toSorted(), tag)
  }
})

t.test('nothing is left in English by mistake', async (t) => {
  const english = new Map(flat(linkTexts.en))
  for (const tag of languageTags.filter((each) => each !== 'en')) {
    const same = flat(linkTexts[tag]).filter(([path, text]) => english.get(path) === text)
    t.same(same, [], tag)
  }
})

t.test('numbers have the wording of their plural category', async (t) => {
  const { counted, texts } = localizedFor('en')
  t.match(counted(texts.opened.left, 1).wording, 'more time,')
  t.match(counted(texts.opened.left, 2).wording, 'more times,')
  t.equal(counted(texts.opened.left, 1_000_000).number, '1,000,000')
  const arabic = localizedFor('ar')
  t.equal(arabic.counted(arabic.texts.opened.left, 2).wording, arabic.texts.opened.left.two)
})
