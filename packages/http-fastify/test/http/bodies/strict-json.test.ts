import { deepEqual } from 'node:assert/strict'
import { expectOk } from '@sotto/test-kit'
import fc from 'fast-check'
import t from 'tap'
import { parseStrictJson } from '../../../src/http/bodies/strict-json.ts'

const parse = (text: string | Uint8Array) =>
  parseStrictJson(typeof text === 'string' ? Buffer.from(text) : text)

t.test('parses whatever JSON.stringify writes', async (t) => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 4 }), (text) => {
      fc.pre(!text.includes('__proto__'))
      deepEqual(expectOk(parse(text)), JSON.parse(text))
    }),
    { numRuns: 500 },
  )
  t.pass('500 texts')
})

t.test('parses numbers, escapes and white space of JSON', async (t) => {
  t.same(expectOk(parse(' {\t"a" :\r\n 1e2 , "b":"\\"\\\\\\u0062" } ')), { a: 100, b: '"\\b' })
})

t.test('refuses what is not JSON', async (t) => {
  const refused = [
    '',
    ' ',
    '{',
    '{"a":1,}',
    "{'a':1}",
    '{"a":01}',
    '{"a":NaN}',
    '{"a":1}x',
    '{"a":"\n"}',
    '// c\n{}',
    'undefined',
  ]
  for (const text of refused) t.equal(parse(text).isErr(), true, JSON.stringify(text))
})

t.test('refuses a byte order mark', async (t) => {
  t.equal(parse('\ufeff{}').isErr(), true)
  t.equal(parse(Buffer.from('{}', 'utf16le')).isErr(), true)
})

t.test('refuses bytes that are not UTF-8', async (t) => {
  for (const bytes of [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xe2, 0x82]]) {
    t.equal(parse(Buffer.from([0x22, ...bytes, 0x22])).isErr(), true, Buffer.from(bytes).toString('hex'))
  }
})

// Promise (The JSON API): Duplicate keys, `__proto__`, BOM and invalid UTF-8 in JSON: 400
t.test('refuses a duplicate key in an object, in every spelling', async (t) => {
  for (const text of [
    '{"a":1,"a":1}',
    '{"a":1,"\\u0061":2}',
    '{"x":{"a":1,"b":{},"a":2}}',
    '[{"a":[],"a":[]}]',
    '{"":1,"":2}',
  ]) {
    t.equal(parse(text).isErr(), true, text)
  }
})

t.test('the same key in other objects or in a string is not a duplicate', async (t) => {
  for (const text of [
    '{"a":{"a":1},"b":{"a":2}}',
    '[{"a":1},{"a":2}]',
    '{"a":"\\"a\\":1,","b":"a"}',
    '{"a":["a","a"]}',
  ]) {
    t.equal(parse(text).isOk(), true, text)
  }
})

t.test('refuses the key __proto__, at any depth and in every spelling', async (t) => {
  for (const text of ['{"__proto__":1}', '{"a":{"__proto__":{}}}', '{"\\u005f_proto__":1}'])
    t.equal(parse(text).isErr(), true, text)
  t.same(expectOk(parse('{"a":"__proto__"}')), { a: '__proto__' })
})

t.test('no depth exhausts the stack, and no shape takes more than linear time', async (t) => {
  const deep = 200_000
  t.equal(parse('['.repeat(deep) + ']'.repeat(deep)).isOk(), true)
  t.equal(parse('{"a":'.repeat(1_000) + '1' + '}'.repeat(1_000)).isOk(), true)
  t.equal(parse('['.repeat(deep)).isErr(), true)
  t.equal(parse(`{"a":"${'\\\\'.repeat(deep)}"}`).isOk(), true)
  t.equal(parse(`{"a":"${'\\"'.repeat(deep)}"}`).isOk(), true)
})

t.test('refuses more than 1,000 keys, in one object or in several', async (t) => {
  const object = (keys: number) =>
    JSON.stringify(Object.fromEntries(Array.from({ length: keys }, (_, n) => [n, 1])))
  t.equal(parse(object(1_000)).isOk(), true)
  t.equal(parse(object(1_001)).isErr(), true)
  t.equal(parse(`[${object(500)},${object(501)}]`).isErr(), true)
})
