import type { SessionsOver, StoredSession } from '@sotto/identity'
import fc from 'fast-check'
import { stepsOf, untilNone } from '../stores/steps.ts'
import { aCursor, aDigest, aLimit, aText, aTime, anAccount, anId, perhaps } from '../stores/values.ts'

/** A session under one of few ids, of any account. Its name is not inserted. */
export const aSession: fc.Arbitrary<StoredSession> = fc.record({
  id: anId,
  accountId: anAccount,
  createdAtMicros: aTime,
  reauthenticatedAtMicros: aTime,
  lastUsedAtMicros: aTime,
  name: fc.constant(undefined),
})

/** The sessions that are over. */
export const sessionsOver: fc.Arbitrary<SessionsOver> = fc.record({
  createdByMicros: aTime,
  lastUsedByMicros: aTime,
})

/** What is tried on the store of sessions. Where ids of passwords, identities and passkeys are in play, they are among the same few. */
export const sessionSteps = stepsOf('sessions', {
  insert: [aSession, aDigest, anId, perhaps(aDigest)],
  findByDigest: [aDigest],
  page: [anAccount, aCursor, aLimit],
  recordReauthentication: [anId, aTime],
  rename: [anAccount, anId, aText],
  erase: [anAccount, anId],
  eraseOver: untilNone(sessionsOver, aLimit),
})
