import { languages, type Language } from '@sotto/core'
import t from 'tap'
import { brandOf } from '../src/brand.ts'
import { localize } from '../src/localized.ts'

const localizedFor = (language: Language) => localize(language, {}, brandOf())

t.test('times are in UTC and say so', async (t) => {
  const micros = Date.UTC(2026, 11, 20, 12, 57, 3) * 1000 + 123_456
  const expected = {
    en: '20 December 2026 at 12:57 UTC',
    de: '20. Dezember 2026 um 12:57 UTC',
    fr: '20 décembre 2026 à 12:57 UTC',
    es: '20 de diciembre de 2026 a las 12:57 UTC',
    ar: '20 ديسمبر 2026 في 12:57 م UTC',
    ja: '2026年12月20日 12:57 UTC',
  }
  for (const tag of ['en', 'de', 'fr', 'es', 'ar', 'ja'] as const)
    t.equal(localizedFor(tag).dateTime(micros), expected[tag], tag)
  for (const tag of languages) t.match(localizedFor(tag).dateTime(micros), 'UTC', tag)
})

t.test('sizes are in the largest sensible unit of the language, rounded down', async (t) => {
  const mebibyte = 1_024 * 1_024
  const sizes = [0, 1, 1_023, 1_024, 25 * mebibyte, 1.99 * mebibyte, 734.9 * mebibyte, 1_024 * mebibyte]
  const of = (tag: Language) => sizes.map((each) => localizedFor(tag).size(each).replace(/\s/, ' '))
  t.same(of('en'), ['0 bytes', '1 byte', '1,023 bytes', '1 kB', '25 MB', '1.9 MB', '734 MB', '1 GB'])
  t.same(of('fr').slice(3, 6), ['1 ko', '25 Mo', '1,9 Mo'])
  t.same(of('ar').slice(4, 6), ['25 م.ب', '1.9 م.ب'])
})

t.test('things are listed as the language does', async (t) => {
  t.equal(localizedFor('en').list(['read', 'write']), 'read and write')
  t.equal(localizedFor('ja').list(['read', 'write']), 'read、write')
})

t.test(
  'a time by its day has words for the nearest days, and the year only when it is another one',
  async (t) => {
    const now = Date.UTC(2026, 11, 31, 23, 30) * 1000
    const hour = 3_600_000_000
    const day = (tag: Language, hours: number): string => localizedFor(tag).day(now + hours * hour, now)
    t.equal(day('en', -23.5), 'today, 00:00 UTC')
    t.equal(day('en', -23.75), 'yesterday, 23:45 UTC')
    t.equal(day('en', 1), 'tomorrow, 00:30 UTC')
    t.equal(day('en', -48), '29 December at 23:30 UTC')
    t.equal(day('en', 48), '2 January 2027 at 23:30 UTC')
    t.equal(day('de', -1), 'heute, 22:30 UTC')
    t.equal(day('fr', -24), 'hier, 23:30 UTC')
    t.equal(day('es', 1), 'mañana, 0:30 UTC')
    t.equal(day('ja', -24), '昨日 23:30 UTC')
    t.match(day('ar', -24), /^أمس، \d/)
    t.equal(localizedFor('en').hour(now), '23:30 UTC')
  },
)

t.test('spans of time are in their largest sensible unit, and at least a minute', async (t) => {
  const { fromNow } = localizedFor('en')
  t.equal(fromNow(1), 'in 1 minute')
  t.equal(fromNow(0), '1 minute ago')
  t.equal(fromNow(-181), '4 minutes ago')
  t.equal(fromNow(89 * 60), 'in 89 minutes')
  t.equal(fromNow(90 * 60), 'in 2 hours')
  t.equal(fromNow(35 * 3_600), 'in 35 hours')
  t.equal(fromNow(-36 * 3_600), '2 days ago')
  t.equal(fromNow(30 * 86_400), 'in 30 days')
  t.equal(fromNow(61), 'in 2 minutes')
  t.equal(fromNow(1800), 'in 30 minutes')
  t.equal(localizedFor('de').fromNow(1800), 'in 30 Minuten')
})
