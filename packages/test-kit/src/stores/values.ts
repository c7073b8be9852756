import {
  noAttempts,
  type AttemptBucket,
  type AttemptState,
  type Ciphertext,
  type Cursor,
  type Encrypted,
  type Uuid,
} from '@sotto/core'
import fc from 'fast-check'
import { noonMicros } from '../shared/samples.ts'
import { kids } from './harness.ts'

/**
 * What histories are made of: few accounts, ids, digests and times, so that calls meet each other's rows. The first of each list is the
 * simplest: a failure is shown with it where it can be.
 */

/** How all ids of histories begin. */
export const idPrefix = '019a0000-0000-7000-8000-'

export function idOf(number: number): Uuid {
  return `${idPrefix}${number.toString(16).padStart(12, '0')}`
}

/** The accounts that there are. */
export const ada = idOf(0xa1)
export const bob = idOf(0xb2)
/** An account that there is not. */
export const nobody = idOf(0xc3)

/** Accounts that there may be. */
export const others: readonly Uuid[] = [nobody, idOf(0xd4), idOf(0xe5)]

/** What a row must not refer to. */
export const invalidReferences: readonly unknown[] = [nobody, kids.retired, kids.unknown]

/** The owner of what is written; mostly the same one. */
export const anAccount: fc.Arbitrary<Uuid> = fc.constantFrom(ada, ada, ada, ada, bob, bob, nobody)

/** An id of something else than an account. */
export const anId: fc.Arbitrary<Uuid> = fc.constantFrom(...[1, 2, 3, 4].map(idOf))

/** The first of the numbers that only rows of this account have. */
function numberOf(accountId: Uuid): number {
  return 1 + 2 * [ada, bob, ...others].indexOf(accountId)
}

/** One of two ids that only rows of this account have. */
export function idOfAccount(accountId: Uuid, nth: number): Uuid {
  return idOf(numberOf(accountId) + nth)
}

/** One of two digests that only rows of this account have. */
export function digestOfAccount(accountId: Uuid, nth: number): Uint8Array {
  return bytes(numberOf(accountId) + nth, 32)
}

/** The digest of a token, or an index: 32 bytes. */
export const aDigest: fc.Arbitrary<Uint8Array> = fc.constantFrom(
  ...[1, 2, 3, 4].map((byte) => bytes(byte, 32)),
  Uint8Array.from({ length: 32 }, (_, at) => (at === 31 ? 2 : 1)),
)

/** Bytes that are all the same. */
export function bytes(byte: number, length: number): Uint8Array {
  return new Uint8Array(length).fill(byte)
}

/** A ciphertext that no cipher can decrypt. */
export const aCiphertext: fc.Arbitrary<Ciphertext> = fc
  .integer({ min: 1, max: 250 })
  .map((byte) => bytes(byte, 48) as Ciphertext)

/** A key that rows may be written under, as a rule. */
const aKid: fc.Arbitrary<number> = fc.constantFrom(
  ...[kids.writable, kids.writable, kids.writable, kids.writable, kids.writable, kids.spare, kids.spare],
  ...[kids.retired, kids.unknown],
)

export const aText: fc.Arbitrary<Encrypted> = fc.record({ kid: aKid, ciphertext: aCiphertext })

/** A time: around noon, or so late that a number with a fraction would lose microseconds. */
export const aTime: fc.Arbitrary<number> = fc.constantFrom(
  ...[0, 0, 1, 1, 2, 3].map((micros) => noonMicros + micros),
  ...[2 ** 52 + 1, Number.MAX_SAFE_INTEGER],
)

/** When something expires: mostly after all that happens. */
export const anExpiry: fc.Arbitrary<number> = fc.oneof(
  { arbitrary: fc.constant(Number.MAX_SAFE_INTEGER), weight: 3 },
  { arbitrary: aTime, weight: 2 },
)

const attempts: fc.Arbitrary<AttemptState> = fc.oneof(
  fc.record({
    underWay: fc.array(fc.record({ id: fc.constantFrom('one', 'two'), sinceMicros: aTime }), {
      maxLength: 2,
    }),
    wrongAtMicros: fc.array(aTime, { maxLength: 2 }),
    wrongTotal: fc.nat(17),
    lockedUntilMicros: perhaps(aTime),
  }),
  fc.constant(noAttempts),
)

/** What becomes of a bucket of attempts. */
export const aBucket: fc.Arbitrary<AttemptBucket | undefined> = perhaps(
  fc.record({ attempts, eraseAtMicros: aTime }),
)

/** How many rows a page has at most. */
export const aLimit: fc.Arbitrary<number> = fc.constantFrom(100, 1, 2)

/** Where a page begins. */
export const aCursor: fc.Arbitrary<Cursor | undefined> = perhaps(
  fc.record({ createdAtMicros: aTime, id: anId }),
)

/** The value, or none. */
export function perhaps<T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.option(value, { nil: undefined, freq: 2 })
}
