import type { ResultAsync } from 'neverthrow'
import type { Uuid } from '../entities/uuid.ts'
import type { AccountExists, KeyRetired, StorageError } from '../errors.ts'
import type { Encrypted } from './ciphertext.ts'
import type { Cursor } from './cursor.ts'

/** An account as it is stored. */
export interface StoredAccount {
  readonly id: Uuid
  /** The account's name, as `accountNameText` spells it. */
  readonly name: Encrypted
  readonly createdAtMicros: number
  readonly disabledAtMicros: number | undefined
}

/**
 * Stores accounts. Every write that is answered with Ok is durable. No method throws or rejects; a closed store answers
 * `storage_unavailable`.
 */
export interface AccountStore {
  /**
   * Adds an account, to be found by the first of `nameIndexes`, unless an account is stored under any of them: atomically, so
   * that of several inserts with one name at most one succeeds. An id that is taken is `storage_failed` and changes nothing.
   * @errors `account_exists`; `key_retired` when rows may not be written under the name's key
   */
  insert(
    account: StoredAccount,
    nameIndexes: readonly [Uint8Array, ...Uint8Array[]],
  ): ResultAsync<void, AccountExists | KeyRetired | StorageError>

  /** The account stored under any of `nameIndexes`; `undefined` when there is none. */
  findByName(nameIndexes: readonly Uint8Array[]): ResultAsync<StoredAccount | undefined, StorageError>

  /** At most `limit` accounts after the cursor (from the beginning without one), by creation and id ascending. */
  page(after: Cursor | undefined, limit: number): ResultAsync<readonly StoredAccount[], StorageError>

  /** Disables an account; an account that is disabled already keeps its first time. Ok(false) when there is no such account. */
  disable(id: Uuid, atMicros: number): ResultAsync<boolean, StorageError>
}
