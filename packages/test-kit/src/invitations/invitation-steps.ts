import type { FullStorage, InvitationSpending, StoredInvitation } from '@sotto/identity'
import type { Uuid } from '@sotto/core'
import fc from 'fast-check'
import { expectOk } from '../contract/expect.ts'
import { aSession } from '../sessions/session-steps.ts'
import { createSamples, noonMicros } from '../shared/samples.ts'
import { kids } from '../stores/harness.ts'
import { stepsOf, untilNone } from '../stores/steps.ts'
import {
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
  idOfAccount,
} from '../stores/values.ts'

/** The first or the second of an account's digests and ids of passwords. */
const nth = fc.nat(1)

/** A one-time link of an account; a third one has a digest that those of all accounts may have. */
const replacement = fc
  .record({
    accountId: anAccount,
    kind: fc.constantFrom('invite' as const, 'reset' as const),
    createdAtMicros: aTime,
    expiresAtMicros: anExpiry,
    isAsked: fc.boolean(),
    nth: fc.constantFrom(0, 0, 1, 1, 'any' as const),
  })
  .map(({ nth, ...invitation }): readonly [StoredInvitation, Uint8Array] => [
    invitation,
    nth === 'any' ? bytes(9, 32) : digestOfAccount(invitation.accountId, nth),
  ])

/** Whoever spends a link knows whose it is. */
const spending = fc
  .record({
    accountId: fc.constantFrom(ada, ada, bob),
    digest: nth,
    id: nth,
    hash: aText,
    session: aSession,
    nowMicros: aTime,
    sessionDigest: aDigest,
  })
  .map(
    ({
      accountId,
      digest,
      id,
      hash,
      session,
      nowMicros,
      sessionDigest,
    }): readonly [Uint8Array, InvitationSpending] => [
      digestOfAccount(accountId, digest),
      {
        nowMicros,
        password: { id: idOfAccount(accountId, id), accountId, createdAtMicros: nowMicros, hash },
        session: { ...session, accountId },
        sessionDigest,
      },
    ],
  )

/** What is tried on the store of one-time links. */
export const invitationSteps = stepsOf('invitations', {
  replace: replacement,
  find: [aDigest, aTime],
  findOfAccount: [anAccount, aTime],
  spend: spending,
  eraseExpired: untilNone(anExpiry, aLimit),
})

/** Gives accounts a password and a session, by a one-time link each. */
export async function addPasswords(
  { invitations }: FullStorage,
  accounts: readonly Uuid[] = [ada, bob],
): Promise<void> {
  const make = createSamples(kids.writable)
  for (const accountId of accounts) {
    const [id, digest] = [idOfAccount(accountId, 0), digestOfAccount(accountId, 0)]
    expectOk(await invitations.replace(make.invitation(accountId), digest), 'making a one-time link')
    const [password, session] = [make.password(accountId, { id }), make.session(accountId, { id })]
    const spent = await invitations.spend(digest, {
      ...{ nowMicros: noonMicros, password, session },
      sessionDigest: digest,
    })
    expectOk(spent, 'spending a one-time link')
  }
}
