import type { ResultAsync } from 'neverthrow'
import type { Uuid } from '../entities/uuid.ts'
import type { AccountExists, KeyRetired, StorageError } from '../errors.ts'
import type { Encrypted } from './ciphertext.ts'
import type { TimePosition } from './time-position.ts'

/** An account as it is kept. */
export interface StoredAccount {
  readonly id: Uuid
  readonly email: Encrypted
  readonly createdAtMicros: number
  readonly disabledAtMicros: number | undefined
}

/**
 * Keeps accounts. Every write that is answered with Ok is durable. No method throws or rejects; after its end the store answers
 * `storage_unavailable`.
 */
export interface AccountStore {
  /**
   * Adds an account, to be found by the first of `emailIndexes`, unless some account is kept under any of them: atomically, so
   * that of several adds of one email at most one succeeds. An id that is taken is `storage_failed` and changes nothing.
   * @errors `account_exists`; `key_retired` when the email's key is not one that rows may be written under
   */
  insert(
    account: StoredAccount,
    emailIndexes: readonly [Uint8Array, ...Uint8Array[]],
  ): ResultAsync<void, AccountExists | KeyRetired | StorageError>

  /** The account kept under any of `emailIndexes`; `undefined` when there is none. */
  findByEmail(emailIndexes: readonly Uint8Array[]): ResultAsync<StoredAccount | undefined, StorageError>

  /** At most `limit` accounts behind `after` (from the beginning without it), by creation and id ascending. */
  slice(after: TimePosition | undefined, limit: number): ResultAsync<readonly StoredAccount[], StorageError>

  /** Disables an account; one that is disabled keeps its first moment. Ok(false) when there is no such account. */
  disable(id: Uuid, atMicros: number): ResultAsync<boolean, StorageError>
}
