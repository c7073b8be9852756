import fc from 'fast-check'
import type { StoredPassword } from '@sotto/identity'
import type { Uuid } from '@sotto/core'
import { stepsOf } from '../stores/steps.ts'
import { aText, aTime, ada, anAccount, anId, bob, idOfAccount, nobody } from '../stores/values.ts'

interface Replacing {
  readonly expectedId: Uuid
  readonly keepSessionId: Uuid
}

/** A password of an account, in place of one of that account. */
const replacement = fc
  .record({
    accountId: fc.constantFrom(ada, ada, bob, nobody),
    nth: fc.nat(1),
    expected: fc.nat(1),
    kept: fc.nat(2),
    any: anId,
    createdAtMicros: aTime,
    hash: aText,
  })
  .map(({ accountId, nth, expected, kept, any, ...columns }): readonly [StoredPassword, Replacing] => [
    { id: idOfAccount(accountId, nth), accountId, ...columns },
    {
      expectedId: idOfAccount(accountId, expected),
      keepSessionId: kept === 2 ? any : idOfAccount(accountId, kept),
    },
  ])

/** What is tried on the store of passwords. The first one of an account comes with a one-time link. */
export const passwordSteps = stepsOf('passwords', {
  replace: replacement,
  find: [anAccount],
  authenticators: [anAccount],
})
