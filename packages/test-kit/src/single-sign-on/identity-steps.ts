import type { IdentityIndexes, InvitationTaking, StoredIdentity } from '@sotto/identity'
import fc from 'fast-check'
import { newAccount } from '../accounts/account-steps.ts'
import { aSession, sessionsOver } from '../sessions/session-steps.ts'
import { decided, step, stepsOf } from '../stores/steps.ts'
import {
  aDigest,
  aLimit,
  aText,
  aTime,
  ada,
  anAccount,
  anId,
  bytes,
  digestOfAccount,
  idOfAccount,
  nobody,
  perhaps,
} from '../stores/values.ts'

const columns = {
  origin: fc.constantFrom('connected' as const, 'invited' as const, 'allowed' as const),
  createdAtMicros: aTime,
  lastUsedAtMicros: perhaps(aTime),
  refusedAtMicros: perhaps(aTime),
  name: aText,
}

/** An account and the id of an identity: mostly one of two that only its identities have. */
const owned = fc
  .record({ accountId: anAccount, nth: fc.nat(1), other: fc.option(anId, { freq: 2 }) })
  .map(({ accountId, nth, other }) => ({ accountId, id: other ?? idOfAccount(accountId, nth) }))

const identity: fc.Arbitrary<StoredIdentity> = fc
  .record({ owned, columns: fc.record(columns) })
  .map((made) => ({ ...made.owned, ...made.columns }))

/** The indexes under which an identity is found: the first is stored. */
const indexes: fc.Arbitrary<IdentityIndexes> = fc.oneof(fc.tuple(aDigest), fc.tuple(aDigest, aDigest))

const aMax = fc.integer({ min: 1, max: 3 })

interface Taken extends InvitationTaking {
  readonly nth: number
  readonly max: number
}

/** Whoever takes a link knows whose it is. */
const taken: fc.Arbitrary<Taken> = fc
  .record({
    identity,
    indexes,
    session: aSession,
    sessionDigest: aDigest,
    providerSession: perhaps(aDigest),
    nowMicros: aTime,
    nth: fc.nat(1),
    max: aMax,
  })
  .map((each) => ({ ...each, session: { ...each.session, accountId: each.identity.accountId } }))

function takingOf({ nth, max, ...taking }: Taken): readonly [Uint8Array, InvitationTaking, number] {
  return [digestOfAccount(taking.identity.accountId, nth), taking, max]
}

/** A one-time link that is taken at once. */
export const takeStep = step(
  'invitations',
  'invitations.replace and identities.takeInvitation',
  fc.record({ taken, kind: fc.constantFrom('invite' as const, 'reset' as const) }),
  ({ invitations, identities }, { taken: given, kind }) => {
    const [digest, taking, max] = takingOf(given)
    const { accountId } = taking.identity
    const times = { createdAtMicros: taking.nowMicros, expiresAtMicros: Number.MAX_SAFE_INTEGER }
    return invitations
      .replace({ accountId, kind, isAsked: false, ...times }, digest)
      .andThen(() => identities.takeInvitation(digest, taking, max))
  },
)

/** A session that begins with one of the identities of its account. */
export const beginStep = step(
  'sessions',
  'sessions.insert',
  fc.record({ owned, session: aSession, digest: aDigest, providerSession: perhaps(aDigest) }),
  ({ sessions }, { owned: { accountId, id }, session, digest, providerSession }) =>
    sessions.insert({ ...session, accountId }, digest, id, providerSession),
)

/** A logout names an identity, a session at the provider, or both. */
const named = fc.oneof(
  fc.record({ identity: indexes, providerSession: perhaps(aDigest) }),
  fc.record({ identity: perhaps(indexes), providerSession: aDigest }),
)

/** A token that counts once: one of more than a history uses, so that most of them count. */
const token = fc.record({
  digest: fc.integer({ min: 100, max: 120 }).map((byte) => bytes(byte, 32)),
  eraseAtMicros: aTime,
})

/** What is tried on the store of identities. */
export const identitySteps = stepsOf('identities', {
  insert: [identity, indexes, aMax],
  insertAccount: fc
    .record({
      account: newAccount,
      identity,
      id: fc.constantFrom(nobody, nobody, nobody, ada),
      names: indexes,
      indexes,
    })
    .map(
      ({ account, id: accountId, identity: added, names, indexes: given }) =>
        [{ ...account, id: accountId }, names, { ...added, accountId }, given] as const,
    ),
  find: [indexes],
  list: [anAccount],
  recordUse: [anId, aTime],
  refuse: [anId, aTime],
  erase: fc
    .record({ owned, mayErase: decided(fc.boolean()), keepSessionId: perhaps(anId) })
    .map(({ owned: { accountId, id }, ...how }) => [accountId, id, how] as const),
  takeInvitation: taken.map(takingOf),
  endSessions: [
    fc.record({ named, token }).map(({ named: which, token: used }) => ({ ...which, token: used })),
  ],
  refusedWithAccess: [
    fc.record({ nowMicros: aTime, sessionsOver, evenAllowed: fc.boolean(), limit: aLimit }),
  ],
})
