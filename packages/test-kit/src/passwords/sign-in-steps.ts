import type { AttemptsChange, AttemptState } from '@sotto/core'
import fc from 'fast-check'
import { err, ok, type Result } from 'neverthrow'
import { noonMicros } from '../shared/samples.ts'
import { decides, stepsOf, untilNone } from '../stores/steps.ts'
import { aBucket, aLimit, aTime, anAccount, bytes } from '../stores/values.ts'

const buckets = fc.array(aBucket, { minLength: 3, maxLength: 3 })

type Decision = (found: readonly AttemptState[]) => Result<AttemptsChange, { readonly code: string }>

/** Up to three buckets in any order, and what is made of them. */
const decision = fc
  .record({ names: fc.shuffledSubarray([1, 2, 3]), buckets, isRefused: fc.nat(3).map((none) => none === 0) })
  .map(({ names, buckets: all, isRefused }): readonly [readonly Uint8Array[], Decision] => [
    names.map((byte) => bytes(byte, 32)),
    decides(isRefused ? err({ code: 'no', wait: 7 }) : ok({ buckets: all.slice(0, names.length), more: 1 })),
  ])

/** The number of an address. */
const anAddress = fc.nat(3)

const addressOf = (number: number): Uint8Array => bytes(number, 32)

/** No two addresses are remembered at one time: either may be forgotten first then. */
const remembered = fc
  .record({
    accountId: anAccount,
    number: anAddress,
    moment: fc.nat(4),
    keep: fc.integer({ min: 1, max: 3 }),
  })
  .map(
    ({ accountId, number, moment, keep }) =>
      [{ accountId, address: addressOf(number), atMicros: noonMicros + 4 * moment + number }, keep] as const,
  )

/** What is tried on the store that protects sign-in from guessing. */
export const signInSteps = stepsOf('signIns', {
  update: decision,
  eraseOver: untilNone(aTime, aLimit),
  rememberAddress: remembered,
  knowsAddress: [
    anAccount,
    fc.array(anAddress.map(addressOf), { maxLength: 2 }),
    fc.nat(20).map((micros) => noonMicros + micros),
  ],
})
