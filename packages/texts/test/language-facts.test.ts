/// <reference lib="esnext.intl" />
import { languages } from '@sotto/core'
import t from 'tap'
import { languageFacts } from '../src/index.ts'

t.test('all languages are offered, the default first', async (t) => {
  t.same(Object.keys(languageFacts), languages)
  t.equal(languages[0], 'en')
})

t.test('a language has the name and the direction that Unicode gives it', async (t) => {
  for (const tag of languages) {
    const { name, locale, direction } = languageFacts[tag]
    const unicodeName = new Intl.DisplayNames(tag, { type: 'language' }).of(tag) ?? ''
    t.equal(name.toLocaleLowerCase(tag), unicodeName.toLocaleLowerCase(tag), tag)
    t.equal(direction, new Intl.Locale(tag).getTextInfo().direction, tag)
    t.equal(new Intl.Locale(locale).language, tag)
    t.same(Intl.DateTimeFormat.supportedLocalesOf(locale), [locale])
  }
  t.same([languageFacts.en.locale, languageFacts.ar.direction], ['en-GB', 'rtl'])
})
