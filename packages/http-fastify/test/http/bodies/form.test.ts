import { expectErr, expectOk } from '@sotto/test-kit'
import t from 'tap'
import { parseForm } from '../../../src/http/bodies/form.ts'

const parse = (text: string) => parseForm(Buffer.from(text))

t.test('fields are decoded in their order, empty ones left out', (t) => {
  t.same(expectOk(parse('')), [])
  t.same(expectOk(parse('&&')), [])
  t.same(expectOk(parse('b=1+2&&a=x=y&c&=d')), [
    ['b', '1 2'],
    ['a', 'x=y'],
    ['c', ''],
    ['', 'd'],
  ])
  t.same(expectOk(parse('%61=%F0%9f%94%91%2B%26%3d%25&é=é%0D%0A')), [
    ['a', '\u{1f511}+&=%'],
    ['é', 'é\r\n'],
  ])
  t.end()
})

t.test('every octet can be escaped in either case', (t) => {
  for (let octet = 0; octet < 0x80; octet += 1) {
    const hex = octet.toString(16).padStart(2, '0')
    const expected = [['x', String.fromCharCode(octet)]]
    t.same(expectOk(parse(`x=%${hex}`)), expected)
    t.same(expectOk(parse(`x=%${hex.toUpperCase()}`)), expected)
  }
  t.end()
})

t.test('what the standard repairs is refused', (t) => {
  for (const text of [
    'a=%',
    'a=%4',
    'a=%4&b=1',
    'a=%g0',
    'a=%0g',
    'a=%0:',
    'a=%0/',
    'a=%0@',
    'a=%0`',
    '%=1',
  ]) {
    t.equal(expectErr(parse(text)), 'bad_form', text)
  }
  for (const text of ['a=%FF', '%ED%A0%80=1', 'a=1&a=2', 'a=1&%61=2', 'a&a']) {
    t.equal(expectErr(parse(text)), 'bad_form', text)
  }
  t.end()
})

// Promise (The owner's pages): A form has at most 32 fields: or 400, where boxes of a list are ticked
t.test('a form has at most 32 fields, empty ones included', (t) => {
  const fields = (count: number): string => Array.from({ length: count }, (_, n) => `f${n}=1`).join('&')
  t.equal(expectOk(parse(fields(32))).length, 32)
  t.equal(expectErr(parse(fields(33))), 'bad_form')
  t.same(expectOk(parse('&'.repeat(31))), [])
  t.equal(expectErr(parse('&'.repeat(32))), 'bad_form')
  t.equal(expectOk(parseForm(Buffer.from(fields(400)), 400)).length, 400)
  t.equal(expectErr(parseForm(Buffer.from(fields(401)), 400)), 'bad_form')
  t.end()
})
