import type { SessionStatus, StoredSession } from '@sotto/identity'
import type { Uuid } from '@sotto/core'
import { expectOk } from '../contract/expect.ts'
import type { Samples } from '../shared/samples.ts'
import { same } from '../contract/compare.ts'
import type { StorageUnderTest } from '../stores/harness.ts'
import { addAccount, addPassword } from '../stores/rows.ts'

/** An account with a password. */
export interface Owner {
  readonly accountId: Uuid
  readonly passwordId: Uuid
}

/** Adds an account with a password and without a session. */
export async function addOwner(store: StorageUnderTest, make: Samples): Promise<Owner> {
  const { id } = await addAccount(store, make)
  const { password, session } = await addPassword(store, make, id)
  expectOk(await store.sessions.erase(id, session.id), 'ending the session that came with the password')
  return { accountId: id, passwordId: password.id }
}

export interface AddedSession {
  readonly session: StoredSession
  readonly digest: Uint8Array
  readonly owner: Owner
}

/** Adds a session to the owner's account, or to that of a new one. */
export async function addSession(
  store: StorageUnderTest,
  make: Samples,
  given?: Owner,
  columns?: Partial<StoredSession>,
): Promise<AddedSession> {
  const owner = given ?? (await addOwner(store, make))
  const session = make.session(owner.accountId, columns)
  const digest = make.tokenDigest()
  same(expectOk(await store.sessions.insert(session, digest, owner.passwordId)), true, 'adding a session')
  return { session, digest, owner }
}

/** The status of a session whose account is not disabled and has chosen nothing. */
export function status(session: StoredSession): SessionStatus {
  return { ...session, accountDisabled: false, language: undefined, notifies: false }
}
