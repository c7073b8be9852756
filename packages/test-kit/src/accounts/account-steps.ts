import { languages, type StoredAccount, type StoredDisplayName, type Uuid } from '@sotto/core'
import fc from 'fast-check'
import { stepsOf, untilNone } from '../stores/steps.ts'
import {
  aDigest,
  aLimit,
  aText,
  aTime,
  ada,
  anAccount,
  bob,
  idOfAccount,
  others,
  perhaps,
} from '../stores/values.ts'

const language = perhaps(fc.constantFrom(...languages))
const mails = fc.record({ enabled: fc.boolean(), nameLabels: fc.boolean() })

/** Any account: also one that only the store of accounts makes. */
const anyAccount = fc.oneof(anAccount, fc.constantFrom(...others))

/** An account that is inserted: mostly one that there is not from the start. */
export const newAccount: fc.Arbitrary<Omit<StoredAccount, 'displayName'>> = fc.record({
  id: fc.constantFrom(...others, ...others, ada),
  name: aText,
  createdAtMicros: aTime,
  disabledAtMicros: perhaps(aTime),
  language,
  mails,
  notifies: fc.boolean(),
  isHeld: fc.boolean(),
})

/** An account, and a display name that only it has, or none. */
const named = fc
  .record({ accountId: anyAccount, nth: fc.nat(1), name: perhaps(aText) })
  .map(({ accountId, nth, name }): readonly [Uuid, StoredDisplayName | undefined] => [
    accountId,
    name && { id: idOfAccount(accountId, nth), name },
  ])

/** The indexes under which an account is found: the first is stored. */
const indexes = fc.tuple(aDigest, aDigest)

/** An account that may end: mostly not the one that owns most, or little would happen after it. */
const ending = fc.constantFrom(...Array.from({ length: 10 }, () => bob), ada, ...others)

/** What is tried on the store of accounts. */
export const accountSteps = stepsOf('accounts', {
  insert: [newAccount, indexes],
  findByName: [fc.array(aDigest, { maxLength: 2 })],
  find: [anyAccount],
  page: [perhaps(fc.record({ createdAtMicros: aTime, id: anyAccount })), aLimit],
  disable: [ending, aTime],
  release: [anyAccount],
  rename: [anyAccount, aText, indexes],
  setLanguage: [anyAccount, language],
  setMails: [anyAccount, mails],
  setNotifies: [anyAccount, fc.boolean()],
  setDisplayName: named,
  beginErasure: [ending],
  eraseBegun: untilNone(aLimit),
})
