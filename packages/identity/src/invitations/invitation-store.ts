import type { Uuid, InvitationKind, AccountNotFound, KeyRetired, StorageError } from '@sotto/core'
import type { ResultAsync } from 'neverthrow'
import type { StoredPassword } from '../passwords/password-store.ts'
import type { StoredSession } from '../sessions/session-store.ts'

/** A one-time link as it is stored: never its token, only the digest. */
export interface StoredInvitation {
  readonly accountId: Uuid
  readonly kind: InvitationKind
  readonly createdAtMicros: number
  readonly expiresAtMicros: number
  /** Whether somebody asked for it who need not be the account's owner; the operator made it otherwise. */
  readonly isAsked: boolean
}

/** What is stored when a one-time link is spent. */
export interface InvitationSpending {
  readonly nowMicros: number
  readonly password: StoredPassword
  readonly session: StoredSession
  /** The digest of the session's token. */
  readonly sessionDigest: Uint8Array
}

/**
 * Stores the one-time links with which owners choose a password, one an account, each found by the digest of its token (32 bytes,
 * `Digests.opaqueTokenDigest`). Every write that is answered with Ok is durable. No method throws or rejects.
 */
export interface InvitationStore {
  /**
   * Stores the one-time link of its account and erases the older one, in one transaction. Ok(false), and nothing is changed, for one that was
   * asked for while one that the operator made can be used at its `createdAtMicros`: nobody else ends that.
   * @errors `account_not_found` when there is no such account or it is disabled
   */
  replace(
    invitation: StoredInvitation,
    digest: Uint8Array,
  ): ResultAsync<boolean, AccountNotFound | StorageError>

  /** The one-time link with this digest that expires after `nowMicros` and whose account is not disabled; `undefined` when there is none. */
  find(digest: Uint8Array, nowMicros: number): ResultAsync<StoredInvitation | undefined, StorageError>

  /** The one-time link of an account that {@link find} would find; `undefined` when there is none. */
  findOfAccount(accountId: Uuid, nowMicros: number): ResultAsync<StoredInvitation | undefined, StorageError>

  /**
   * Spends the one-time link that {@link find} would find. In one transaction it erases the link, sets its account's password, erases all
   * sessions of the account and its waiting change of the email address, and adds the new session. An invitation that replaces a password
   * also revokes all access tokens of the account, at `nowMicros`: it may bring the account to somebody else. One to an account without a
   * password, and a reset, revoke none. A reset, and an invitation that replaces a password, also erase all identities, passkeys and webhooks
   * of the account, these with all deliveries to them: somebody who had the account may have added them. One to an account without a password
   * keeps them. So of several calls for one link one succeeds. The password and the session in `spending` are
   * of the link's account. Ok(false), and nothing is changed, when {@link find} would find none.
   * @errors `key_retired` when rows may not be written under the hash's key
   */
  spend(digest: Uint8Array, spending: InvitationSpending): ResultAsync<boolean, KeyRetired | StorageError>

  /** Erases at most `limit` one-time links that expired at `expiredByMicros` or before. Ok with how many it erased. */
  eraseExpired(expiredByMicros: number, limit: number): ResultAsync<number, StorageError>
}
