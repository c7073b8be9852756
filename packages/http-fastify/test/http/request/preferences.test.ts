import fc from 'fast-check'
import t from 'tap'
import { preferredLanguage, preferredType } from '../../../src/http/request/preferences.ts'

t.test('Accept chooses HTML or JSON', async (t) => {
  const cases: readonly [string | undefined, 'html' | 'json' | 'either'][] = [
    [undefined, 'either'],
    ['', 'either'],
    ['*/*', 'either'],
    ['image/png', 'either'],
    ['text/html', 'html'],
    ['TEXT/HTML', 'html'],
    ['text/*', 'html'],
    ['application/json', 'json'],
    ['application/*', 'json'],
    ['application/json; charset=utf-8', 'json'],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8', 'html'],
    ['application/json, text/plain, */*', 'json'],
    ['text/html, */*', 'html'],
    ['text/html, */*; q=0.01', 'html'],
    ['text/html;q=0.5, application/json', 'json'],
    ['text/html;q=0.5, application/json;q=0.4', 'html'],
    ['application/json;q=0.9, */*;q=1', 'html'],
    ['text/html, application/json', 'either'],
    ['text/html;q=0, */*', 'json'],
    ['text/html;q=0', 'either'],
    ['application/json;q=0, */*;q=0.1', 'html'],
    ['text/*;q=0.2, text/html;q=0.9, application/json;q=0.5', 'html'],
    ['text/html;level=1;q=0.3, text/html;q=0.9, application/json;q=0.5', 'html'],
    ['text/html ; Q=0.900 , application/json;q=0.1', 'html'],
    ['text/html;q=1.5, application/json;q=0.1', 'json'],
    ['text/html;q=abc', 'either'],
    ['a/b;p="text/html, x", application/json', 'json'],
    ['a/b;p="\\"text/html, x", application/json', 'json'],
    ['a/b;p="text/html, application/json', 'either'],
    [',,;q=1,', 'either'],
  ]
  for (const [accept, expected] of cases) t.equal(preferredType(accept), expected, String(accept))
})

t.test('of any two weights the greater one wins', async (t) => {
  const weight = fc.integer({ min: 0, max: 1000 }).map((thousandths) => thousandths / 1000)
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(weight, weight, fc.boolean(), (html, json, htmlFirst) => {
        const parts = [`text/html;q=${html.toFixed(3)}`, `application/json; q=${json.toFixed(3)}`]
        const type = preferredType((htmlFirst ? parts : parts.toReversed()).join(','))
        return type === (html === json ? 'either' : html > json ? 'html' : 'json')
      }),
    ),
  )
})

t.test('no header makes the parser throw or take long', async (t) => {
  const part = fc.constantFrom(
    'text/html',
    '*/*',
    ';q=',
    '0.5',
    ',',
    '"',
    '\\',
    ';',
    '=',
    ' ',
    'q',
    'de',
    '-',
    '*',
  )
  const header = fc.array(part, { maxLength: 60 }).map((parts) => parts.join(''))
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(header, (text) => {
        preferredType(text)
        return preferredLanguage(text, ['en', 'de']).length === 2
      }),
    ),
  )
  const started = process.hrtime.bigint()
  for (const unit of ['"', '\\"', 'a;q=0.5,', ';', '*/*', '"a,'])
    preferredType(unit.repeat(16_384 / unit.length))
  t.ok(process.hrtime.bigint() - started < 2_000_000_000n, 'even the longest headers take little time')
})

t.test('Accept-Language chooses a language', async (t) => {
  const supported = ['en', 'de', 'fr', 'ar'] as const
  const cases: readonly [string | undefined, string][] = [
    [undefined, 'en'],
    ['', 'en'],
    ['de', 'de'],
    ['de-AT', 'de'],
    ['DE-at', 'de'],
    ['ar-EG,ar;q=0.9', 'ar'],
    ['zh-Hant-TW, fr;q=0.5', 'fr'],
    ['fr;q=0.5, de;q=0.7', 'de'],
    ['fr;q=0.7, de;q=0.7', 'fr'],
    ['de;q=0, fr;q=0.1', 'fr'],
    ['*', 'en'],
    ['*, de;q=0.5', 'en'],
    ['en;q=0, *', 'de'],
    ['en;q=0', 'en'],
    ['de;q=2', 'en'],
    ['deu', 'en'],
    ['zh, *;q=0.1', 'en'],
    ['en-GB;q=0, en;q=0.5, de;q=0.1', 'en'],
  ]
  for (const [accepted, expected] of cases)
    t.equal(preferredLanguage(accepted, supported), expected, String(accepted))
})
