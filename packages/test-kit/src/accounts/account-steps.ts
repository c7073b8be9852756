import type { StoredAccount, StoredDisplayName } from '@sotto/core'
import fc from 'fast-check'
import { stepsOf, untilNone } from '../stores/steps.ts'
import {
  aCursor,
  aDigest,
  aLimit,
  aText,
  aTime,
  ada,
  anAccount,
  anId,
  bob,
  nobody,
  perhaps,
} from '../stores/values.ts'

const language = perhaps(fc.constantFrom('de' as const, 'en' as const))
const mails = fc.record({ enabled: fc.boolean(), nameLabels: fc.boolean() })

export const newAccount: fc.Arbitrary<Omit<StoredAccount, 'displayName'>> = fc.record({
  id: anAccount,
  name: aText,
  createdAtMicros: aTime,
  disabledAtMicros: perhaps(aTime),
  language,
  mails,
  notifies: fc.boolean(),
  isHeld: fc.boolean(),
})

const displayName: fc.Arbitrary<StoredDisplayName> = fc.record({ id: anId, name: aText })

/** The indexes under which an account is found: the first is stored. */
const indexes = fc.tuple(aDigest, aDigest)

/** An account that may end: mostly not the one that owns most, or little would happen after it. */
const ending = fc.constantFrom(...Array.from({ length: 14 }, () => bob), ada, nobody)

/** What is tried on the store of accounts. */
export const accountSteps = stepsOf('accounts', {
  insert: [newAccount, indexes],
  findByName: [fc.array(aDigest, { maxLength: 2 })],
  find: [anAccount],
  page: [aCursor, aLimit],
  disable: [ending, aTime],
  release: [anAccount],
  rename: [anAccount, aText, indexes],
  setLanguage: [anAccount, language],
  setMails: [anAccount, mails],
  setNotifies: [anAccount, fc.boolean()],
  setDisplayName: [anAccount, perhaps(displayName)],
  beginErasure: [ending],
  eraseBegun: untilNone(aLimit),
})
