import assert from 'node:assert/strict'
import type { Random } from '@sotto/core'
import {
  casesOf,
  caseOf,
  caseOfTwo,
  contractOf,
  type ContractCase,
  type Harness,
  type Unit,
} from '../contract/contract.ts'
import { same, spelled } from '../contract/compare.ts'

/** A source of randomness, for its contract. */
export interface RandomUnderTest extends Unit {
  readonly random: Random
}

/** Makes the source of randomness that the contract is run on. */
export type RandomHarness = Harness<RandomUnderTest, never>

/** The contract of the random generator, as far as a test can check it. */
export const randomContract: readonly ContractCase<RandomHarness>[] = contractOf(
  casesOf({
    'random/gives-the-number-of-bytes': caseOf({
      rule: 'bytes gives exactly the requested number of bytes, from 1 to 65,536.',
      check({ random }: RandomUnderTest) {
        for (const count of [1, 2, 3, 8, 12, 16, 32, 33, 1_000, 65_535, 65_536]) {
          const bytes = random.bytes(count)
          assert.ok(bytes instanceof Uint8Array, 'not a Uint8Array')
          same(bytes.length, count)
        }
      },
    }),
    'random/gives-the-callers-own-array': caseOf({
      rule: "The array is the caller's own: writing to it changes no other array, earlier or later.",
      check({ random }: RandomUnderTest) {
        for (const count of [1, 16, 65_536]) {
          const first = random.bytes(count)
          const copy = Uint8Array.from(first)
          const second = random.bytes(count)
          same(first, copy, 'the first array after a second call')
          second.fill(0)
          same(first, copy, 'the first array after the second was wiped')
          first.fill(255)
          same(second, new Uint8Array(count), 'the second array after the first was written to')
          const wiped = Array.from({ length: 3 }, () => random.bytes(16)).filter((bytes) =>
            bytes.every((byte) => byte === 0),
          )
          same(wiped.length, 0, 'how many later arrays were wiped as well')
        }
      },
    }),
    'random/does-not-repeat': caseOf({
      rule: 'No two of 10,000 arrays of 16 bytes are the same.',
      check({ random }: RandomUnderTest) {
        const seen = new Set(Array.from({ length: 10_000 }, () => spelled(random.bytes(16))))
        same(seen.size, 10_000)
      },
    }),
    'random/is-evenly-distributed': caseOf({
      rule: 'In 65,536 bytes every value occurs, none far too often, and each bit is set about half of the time.',
      check({ random }: RandomUnderTest) {
        const counts = new Uint32Array(256)
        const bits = new Uint32Array(8)
        for (const byte of random.bytes(65_536)) {
          counts[byte] = (counts[byte] ?? 0) + 1
          for (let bit = 0; bit < 8; bit += 1) bits[bit] = (bits[bit] ?? 0) + ((byte >> bit) & 1)
        }
        // Expected are 256 with a standard deviation of 16, and 32,768 with one of 128: a good generator exceeds these bounds once in 10^15.
        for (const [value, count] of counts.entries()) {
          assert.ok(count > 100 && count < 450, `the byte ${value} occurs ${count} times`)
        }
        for (const [bit, set] of bits.entries()) {
          assert.ok(Math.abs(set - 32_768) < 1_100, `bit ${bit} is set ${set} times`)
        }
      },
    }),
    'random/differs-between-generators': caseOfTwo({
      rule: 'Two generators that were opened apart give different bytes.',
      check({ random: one }: RandomUnderTest, { random: other }: RandomUnderTest) {
        assert.notEqual(spelled(one.bytes(16)), spelled(other.bytes(16)), 'both give the same bytes')
      },
    }),
  }),
)
