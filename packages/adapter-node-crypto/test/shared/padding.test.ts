import fc from 'fast-check'
import t from 'tap'
import { leastSize, padText, paddedLength, unpadText } from '../../src/shared/padding.ts'

t.test('a padded text comes back exactly, whatever is in front of it', (t) => {
  const text = fc.string({ unit: 'grapheme', maxLength: 300 })
  fc.assert(
    fc.property(text, fc.constantFrom(0, 33), (given, before) => {
      const padded = padText(given, leastSize.shortText, before)
      t.equal(unpadText(padded, leastSize.shortText, before), given)
    }),
    { numRuns: 200 },
  )
  t.equal(unpadText(padText('\ufeffa', 64), 64), '\ufeffa', 'a byte order mark stays')
  t.end()
})

t.test('lengths are rounded up to a power of two, from the smallest size on', (t) => {
  const cases = [
    [0, 64],
    [1, 64],
    [64, 64],
    [65, 128],
    [128, 128],
    [129, 256],
    [1_020, 1_024],
  ] as const
  for (const [length, size] of cases) {
    t.equal(paddedLength(length, leastSize.shortText), 4 + size)
    t.equal(padText('x'.repeat(length), leastSize.shortText).length, 4 + size)
  }
  t.equal(paddedLength(256, leastSize.note), 4 + 256)
  t.equal(paddedLength(257, leastSize.note), 4 + 512)
  t.equal(
    paddedLength(65_536, leastSize.note),
    4 + 65_536,
    'a note of the usual maximum length is not padded',
  )
  t.equal(paddedLength(1_048_576, leastSize.note), 4 + 1_048_576)
  t.end()
})

t.test('texts of up to 1,020 bytes have five lengths, whatever their characters', (t) => {
  const lengths = new Set<number>()
  for (let count = 1; count <= 255; count += 1) {
    for (const unit of ['x', 'ü', '€', '🗝']) {
      lengths.add(padText(unit.repeat(count), leastSize.shortText).length)
    }
  }
  t.strictSame(
    [...lengths].sort((one, other) => one - other),
    [68, 132, 260, 516, 1_028],
  )
  t.end()
})

t.test('a text that is padded in any other way is refused', (t) => {
  const padded = padText('abc', 64)
  const wrong: [string, Buffer][] = [
    ['nothing', Buffer.alloc(0)],
    ['no length', padded.subarray(0, 3)],
    ['too short', padded.subarray(0, -1)],
    ['too long', Buffer.concat([padded, Buffer.alloc(1)])],
    ['the next size', Buffer.concat([padded, Buffer.alloc(64)])],
    ['a length beyond its end', withByte(padded, 3, 65)],
    ['a huge length', withByte(padded, 0, 255)],
    ['a length that cuts the text', withByte(padded, 3, 2)],
    ['padding that is not zero', withByte(padded, padded.length - 1, 1)],
    ['padding that is not zero before its end', withByte(padded, padded.length - 2, 1)],
    ['no UTF-8', withByte(padded, 4, 0xff)],
  ]
  for (const [name, bytes] of wrong) t.equal(unpadText(bytes, 64), undefined, name)
  t.equal(unpadText(padded, 64), 'abc')
  t.end()
})

t.test('a text with a lone surrogate is a mistake of the caller', (t) => {
  t.throws(() => padText('a\ud800', 64), TypeError)
  t.end()
})

function withByte(bytes: Buffer, at: number, byte: number): Buffer {
  const copy = Buffer.from(bytes)
  copy[at] = byte
  return copy
}
