import type {
  Uuid,
  AccountExists,
  AccountNotFound,
  KeyRetired,
  StorageError,
  Ciphertext,
  Encrypted,
} from '@sotto/core'
import type { ResultAsync } from 'neverthrow'

/** A change of an account's email address that waits until the link that was mailed to the new one is opened. Never the link's token. */
export interface StoredEmailChange {
  readonly accountId: Uuid
  /** The new address, sealed with the link's token: see `TextCipher.sealText`. So it is under no key of the ring. */
  readonly email: Ciphertext
  readonly createdAtMicros: number
  readonly expiresAtMicros: number
}

/**
 * Stores the changes of email addresses that wait, one an account, each found by the digest of its link's token (32 bytes,
 * `Digests.opaqueTokenDigest`). Every write that is answered with Ok is durable. No method throws or rejects.
 *
 * A change also ends, in the same transaction, with a rename of its account, a new password, the use of a one-time link, or the beginning
 * of its account's erasure.
 */
export interface EmailChangeStore {
  /**
   * Stores the change of its account and erases the older one, in one transaction.
   * @errors `account_not_found` when there is no such account or it is disabled
   */
  replace(change: StoredEmailChange, digest: Uint8Array): ResultAsync<void, AccountNotFound | StorageError>

  /** The change with this digest that expires after `nowMicros` and whose account is not disabled; `undefined` when there is none. */
  find(digest: Uint8Array, nowMicros: number): ResultAsync<StoredEmailChange | undefined, StorageError>

  /**
   * Spends the change that {@link find} would find: erases it and renames its account, as `AccountStore.rename` does, in one transaction.
   * So of several calls for one link one succeeds. Ok(false), and nothing is changed, when it would find none. An error changes nothing.
   * @errors `account_exists` when another account is stored under any of `nameIndexes`; `key_retired` when rows may not be written under the
   * name's key
   */
  spend(
    digest: Uint8Array,
    nowMicros: number,
    name: Encrypted,
    nameIndexes: readonly [Uint8Array, ...Uint8Array[]],
  ): ResultAsync<boolean, AccountExists | KeyRetired | StorageError>

  /** Erases at most `limit` changes that expired at `expiredByMicros` or before. Ok with how many it erased. */
  eraseExpired(expiredByMicros: number, limit: number): ResultAsync<number, StorageError>
}
