import type { StoredEmailChange } from '@sotto/identity'
import fc from 'fast-check'
import { stepsOf, untilNone } from '../stores/steps.ts'
import {
  aCiphertext,
  aDigest,
  aLimit,
  aText,
  aTime,
  ada,
  anAccount,
  anExpiry,
  bob,
  bytes,
  digestOfAccount,
} from '../stores/values.ts'

/** A change of an account, under one of its two digests or under one that those of all accounts may have. */
const replacement = fc
  .record({
    accountId: anAccount,
    email: aCiphertext,
    createdAtMicros: aTime,
    expiresAtMicros: anExpiry,
    nth: fc.constantFrom(0, 0, 1, 1, 'any' as const),
  })
  .map(({ nth, ...change }): readonly [StoredEmailChange, Uint8Array] => [
    change,
    nth === 'any' ? bytes(9, 32) : digestOfAccount(change.accountId, nth),
  ])

/** The digest of a change of an account that there is. */
const digest = fc
  .tuple(fc.constantFrom(ada, ada, bob), fc.nat(1))
  .map(([id, nth]) => digestOfAccount(id, nth))

/** What is tried on the store of waiting changes of email addresses. */
export const emailChangeSteps = stepsOf('emailChanges', {
  replace: replacement,
  find: [digest, aTime],
  spend: [digest, aTime, aText, fc.tuple(aDigest, aDigest)],
  eraseExpired: untilNone(anExpiry, aLimit),
})
