import assert from 'node:assert/strict'
import type { Clock } from '@sotto/core'
import {
  casesOf,
  contractOf,
  caseOf,
  type ContractCase,
  type Harness,
  type Unit,
} from '../contract/contract.ts'

/** What a clock can do beyond the minimum: `wall`, it shows the time of this machine rather than one that a test has set. */
export type ClockCapability = 'wall'

/** A clock, for its contract. */
export interface ClockUnderTest extends Unit {
  readonly clock: Clock
}

/** Makes the clock that the contract is run on. */
export type ClockHarness = Harness<ClockUnderTest, ClockCapability>

/** The contract of the clock. */
export const clockContract: readonly ContractCase<ClockHarness>[] = contractOf(
  casesOf({
    'clock/shows-whole-microseconds': caseOf({
      rule: 'The time is a whole number of microseconds, and a safe integer.',
      check({ clock }: ClockUnderTest) {
        for (let call = 0; call < 1_000; call += 1) {
          const now = clock.nowMicros()
          assert.ok(Number.isSafeInteger(now), `${now} is not a whole number of microseconds`)
        }
      },
    }),
    'clock/counts-from-the-epoch': caseOf({
      rule: 'The time is in microseconds since the Unix epoch: it is between the years 2001 and 2255.',
      check({ clock }: ClockUnderTest) {
        const now = clock.nowMicros()
        assert.ok(now > 1_000_000_000_000_000 && now < Number.MAX_SAFE_INTEGER, `${now} is outside`)
      },
    }),
    'clock/shows-the-wall-clock': caseOf({
      rule: "The time is that of the machine's wall clock.",
      needs: ['wall'],
      check({ clock }: ClockUnderTest) {
        const before = Date.now()
        const now = clock.nowMicros() / 1_000
        const after = Date.now()
        assert.ok(now >= before - 5 && now <= after + 5, `${now} ms is not between ${before} and ${after}`)
      },
    }),
  }),
)
