import t from 'tap'
import fc from 'fast-check'
import {
  codePointCount,
  hasControlCharacter,
  hasLoneSurrogate,
  utf8ByteLength,
} from '../../src/shared/text.ts'

const anyText = fc.string({ unit: 'binary' })
const anyUnits = fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units))

t.test('the length in UTF-8 equals that of an encoder', (t) => {
  fc.assert(fc.property(anyText, (text) => utf8ByteLength(text) === Buffer.byteLength(text, 'utf8')))
  fc.assert(fc.property(anyUnits, (text) => utf8ByteLength(text) === Buffer.byteLength(text, 'utf8')))
  t.equal(utf8ByteLength('aä€😀'), 1 + 2 + 3 + 4)
  for (const [text, bytes] of [
    ['\x7f', 1],
    ['\x80', 2],
    ['\u07ff', 2],
    ['\u0800', 3],
    ['\uffff', 3],
    ['\u{10000}', 4],
    ['\u{10ffff}', 4],
    ['\udc00\udc00', 6],
    ['\ud800\ue000', 6],
  ] as const) {
    t.equal(utf8ByteLength(text), bytes, JSON.stringify(text))
  }
  t.end()
})

t.test('code points are counted as string iteration counts them', (t) => {
  fc.assert(fc.property(anyUnits, (text) => codePointCount(text) === Array.from(text).length))
  t.equal(codePointCount('😀'.repeat(255)), 255)
  t.equal(codePointCount('\u{10000}\u{10ffff}'), 2)
  t.end()
})

t.test('half a surrogate pair is found at any position', (t) => {
  fc.assert(fc.property(anyUnits, (text) => hasLoneSurrogate(text) === !text.isWellFormed()))
  t.ok(hasLoneSurrogate('a\ud800'))
  t.ok(hasLoneSurrogate('\udc00\ud800'))
  t.notOk(hasLoneSurrogate('\ud83d\ude00'))
  t.end()
})

t.test('control characters are C0, DEL and C1, and no others', (t) => {
  for (let code = 0; code < 0x300; code += 1) {
    const expected = code < 0x20 || (code >= 0x7f && code <= 0x9f)
    if (hasControlCharacter(`a${String.fromCharCode(code)}b`) !== expected) t.fail(`U+${code.toString(16)}`)
  }
  t.notOk(hasControlCharacter('a\u2028b'), 'a line separator is not a control character')
  t.end()
})
