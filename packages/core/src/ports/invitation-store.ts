import type { ResultAsync } from 'neverthrow'
import type { Uuid } from '../entities/uuid.ts'
import type { InvitationKind } from '../entities/invitation.ts'
import type { AccountNotFound, KeyRetired, StorageError } from '../errors.ts'
import type { StoredPassword } from './password-store.ts'
import type { StoredSession } from './session-store.ts'

/** A one-time link as it is stored: never its token, only the digest. */
export interface StoredInvitation {
  readonly accountId: Uuid
  readonly kind: InvitationKind
  readonly createdAtMicros: number
  readonly expiresAtMicros: number
}

/** What the spending of a one-time link leaves behind. */
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
   * Stores the one-time link of its account and erases the older one, in one transaction.
   * @errors `account_not_found` when there is no such account or it is disabled
   */
  replace(invitation: StoredInvitation, digest: Uint8Array): ResultAsync<void, AccountNotFound | StorageError>

  /** The one-time link with this digest that expires after `nowMicros` and whose account is not disabled; `undefined` when there is none. */
  find(digest: Uint8Array, nowMicros: number): ResultAsync<StoredInvitation | undefined, StorageError>

  /** The one-time link of an account that {@link find} would find; `undefined` when there is none. */
  findOfAccount(accountId: Uuid, nowMicros: number): ResultAsync<StoredInvitation | undefined, StorageError>

  /**
   * Spends the one-time link that {@link find} would find. In one transaction it erases the link, sets its account's password, erases all
   * sessions of the account and its waiting change of the email address, and adds the new session. An invitation that replaces a password
   * also revokes all access tokens of the account, at `nowMicros`: it may bring the account to somebody else. One to an account without a
   * password, and a reset, revoke none. A reset, and an invitation that replaces a password, also erase all webhooks of the account with
   * all deliveries to them: somebody who had the account may have added them. One to an account without a password keeps them. So of
   * several calls for one link one succeeds. Password and session are of its account. Ok(false), and nothing is changed, when it would find
   * none.
   * @errors `key_retired` when rows may not be written under the hash's key
   */
  spend(digest: Uint8Array, spending: InvitationSpending): ResultAsync<boolean, KeyRetired | StorageError>

  /** Erases at most `limit` one-time links that expired at `expiredByMicros` or before. Ok with how many it erased. */
  eraseExpired(expiredByMicros: number, limit: number): ResultAsync<number, StorageError>
}
