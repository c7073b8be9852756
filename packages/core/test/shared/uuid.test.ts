import t from 'tap'
import fc from 'fast-check'
import { nilUuid, parseUuid, uuidToFind, uuidV7, uuidV7RandomBytes } from '../../src/shared/uuid.ts'

const zeros = new Uint8Array(uuidV7RandomBytes)
const ones = new Uint8Array(uuidV7RandomBytes).fill(255)

t.test('a UUID of version 7 carries the milliseconds, the version and the variant of RFC 9562', (t) => {
  // The time of the RFC's own example (appendix A.6): 2022-02-22T19:22:22.000Z.
  t.equal(uuidV7(1_645_557_742_000_000, zeros), '017f22e2-79b0-7000-8000-000000000000')
  t.equal(uuidV7(1_645_557_742_000_000, ones), '017f22e2-79b0-7000-bfff-ffffffffffff')
  t.end()
})

t.test(
  'a UUID of version 7 carries the fraction of its millisecond in 12 bits, and the variant before the random part',
  (t) => {
    const random = Uint8Array.of(0b0111_1111, 0xab, 0xcd, 0xef, 0x01, 0x23, 0x45, 0x67)
    t.equal(uuidV7(1_645_557_742_000_500, random), '017f22e2-79b0-7800-9fab-cdef01234567')
    t.equal(uuidV7(1_645_557_742_000_001, zeros), '017f22e2-79b0-7004-8000-000000000000')
    t.equal(uuidV7(1_645_557_742_000_999, zeros), '017f22e2-79b0-7ffb-8000-000000000000')
    t.end()
  },
)

// Twelve bits distinguish 4,096 fractions of a millisecond, more than its 1,000 microseconds.
t.test('ids are ordered by their microsecond, whatever the random part', (t) => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 8_000_000_000_000_000 }),
      fc.uint8Array({ minLength: uuidV7RandomBytes, maxLength: uuidV7RandomBytes }),
      (micros, random) => uuidV7(micros - 1, ones) < uuidV7(micros, random),
    ),
  )
  t.pass('property holds')
  t.end()
})

t.test('random bytes of another length are a programming error', (t) => {
  t.throws(() => uuidV7(0, new Uint8Array(7)), TypeError)
  t.end()
})

t.test('a UUID is read in either case, any other text is not', (t) => {
  t.equal(parseUuid('017F22E2-79B0-7CC3-98C4-DC0C0C07398F'), '017f22e2-79b0-7cc3-98c4-dc0c0c07398f')
  t.equal(parseUuid(nilUuid), nilUuid)
  for (const wrong of [
    '',
    '017f22e279b07cc398c4dc0c0c07398f',
    ` ${nilUuid}`,
    `${nilUuid}\n`,
    `{${nilUuid}}`,
  ]) {
    t.equal(parseUuid(wrong), undefined, JSON.stringify(wrong))
  }
  t.end()
})

t.test('a malformed id is looked up as the nil UUID, which no row has', (t) => {
  t.equal(uuidToFind('017F22E2-79B0-7CC3-98C4-DC0C0C07398F'), '017f22e2-79b0-7cc3-98c4-dc0c0c07398f')
  for (const malformed of ['', 'x', `${nilUuid} `, nilUuid.slice(1)]) t.equal(uuidToFind(malformed), nilUuid)
  t.end()
})
