import { languages } from '@sotto/core'
import t from 'tap'
import { brandOf } from '../src/brand.ts'
import { languageFacts } from '@sotto/texts'
import { dateTimeFields, localize } from '../src/localized.ts'
import { remembered, rememberedMax, rememberedMaxLength } from '../src/remembered.ts'

t.test('a text is made once, and again after as many others as are remembered', async (t) => {
  const made: number[] = []
  const textOf = remembered((key: number) => {
    made.push(key)
    return `text ${key}`
  })
  t.equal(textOf(1), 'text 1')
  t.equal(textOf(1), 'text 1')
  t.same(made, [1])
  for (let key = 2; key <= rememberedMax + 1; key += 1) textOf(key)
  t.equal(made.length, rememberedMax + 1)
  t.equal(textOf(1), 'text 1')
  t.equal(made.length, rememberedMax + 2, 'it began anew')
})

t.test('a long text is not kept', async (t) => {
  let made = 0
  const lengthOf = remembered((text: string) => ((made += 1), text.length))
  for (const length of [rememberedMaxLength, rememberedMaxLength + 1]) {
    for (let time = 0; time < 2; time += 1) t.equal(lengthOf('x'.repeat(length)), length)
  }
  t.equal(made, 3)
})

t.test('remembered times, spans and numbers are those that Intl writes', async (t) => {
  for (const tag of languages) {
    const { locale } = languageFacts[tag]
    const dates = new Intl.DateTimeFormat(locale, { ...dateTimeFields, timeZone: 'UTC' })
    const numbers = new Intl.NumberFormat(locale)
    const localized = localize(tag, {}, brandOf())
    for (let round = 0; round < 2; round += 1) {
      for (let at = 0; at < 50; at += 1) {
        const micros = Date.UTC(2026, at, 1, at, 59, 59, 999) * 1_000 + 999
        t.equal(localized.dateTime(micros), dates.format(Math.floor(micros / 1_000)), tag)
        t.equal(localized.number(at * 997), numbers.format(at * 997), tag)
      }
    }
  }
})
