import t from 'tap'
import { languages, parseLanguage } from '../../src/shared/language.ts'

t.test('a language is known by its exact tag', (t) => {
  const offered = ['en', 'de', 'fr', 'es', 'ar', 'ja']
  t.strictSame(
    languages.filter((tag) => offered.includes(tag)),
    offered,
  )
  t.equal(languages[0], 'en', 'the default comes first')
  t.strictSame(Intl.getCanonicalLocales(languages), languages)
  for (const language of languages) t.equal(parseLanguage(language), language)
  for (const other of ['', 'EN', 'en-GB', 'xx', 'constructor']) t.equal(parseLanguage(other), undefined)
  t.end()
})
