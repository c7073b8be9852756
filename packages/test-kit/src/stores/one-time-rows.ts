import type {
  FullStorage,
  InvitationSpending,
  StoredEmailChange,
  StoredInvitation,
  StoredPassword,
} from '@sotto/identity'
import type { Uuid } from '@sotto/core'
import { expectOk } from '../contract/expect.ts'
import { noonMicros, type Samples } from '../shared/samples.ts'
import { addAccount } from './rows.ts'

/** Makes a one-time link for the account, or for a new one. */
export async function addInvitation(
  store: FullStorage,
  make: Samples,
  accountId?: Uuid,
  columns?: Partial<StoredInvitation>,
): Promise<{ readonly invitation: StoredInvitation; readonly digest: Uint8Array }> {
  const invitation = make.invitation(accountId ?? (await addAccount(store, make)).id, columns)
  const digest = make.tokenDigest()
  expectOk(await store.invitations.replace(invitation, digest), 'making a one-time link')
  return { invitation, digest }
}

/** What a spending leaves behind: a new password and a new session. */
export function spending(
  make: Samples,
  accountId: Uuid,
  columns?: Partial<StoredPassword>,
): InvitationSpending {
  return {
    nowMicros: noonMicros,
    password: make.password(accountId, columns),
    session: make.session(accountId),
    sessionDigest: make.tokenDigest(),
  }
}

/** Adds a change to the account, or to a new one. */
export async function addEmailChange(
  store: FullStorage,
  make: Samples,
  accountId?: Uuid,
  columns?: Partial<StoredEmailChange>,
): Promise<{ readonly change: StoredEmailChange; readonly digest: Uint8Array }> {
  const change = make.emailChange(accountId ?? (await addAccount(store, make)).id, columns)
  const digest = make.tokenDigest()
  expectOk(await store.emailChanges.replace(change, digest), 'storing a change')
  return { change, digest }
}
