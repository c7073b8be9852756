import type { ResultAsync } from 'neverthrow'
import type { Uuid } from '../entities/uuid.ts'
import type { AccountNotFound, KeyRetired, StorageError } from '../errors.ts'
import type { Encrypted } from './ciphertext.ts'
import type { Cursor } from './cursor.ts'

/** A folder as it is stored. */
export interface StoredFolder {
  readonly id: Uuid
  readonly accountId: Uuid
  readonly label: Encrypted
  readonly createdAtMicros: number
}

export interface StoredFolderWithCounts extends StoredFolder {
  readonly draftsCount: number
  readonly secretsCount: number
}

/**
 * Stores folders. Every write that is answered with Ok is durable. No method throws or rejects; a closed store answers
 * `storage_unavailable`. An id that is taken is `storage_failed` and changes nothing.
 */
export interface FolderStore {
  /**
   * Adds a folder to an existing account.
   * @errors `account_not_found`; `key_retired` when rows may not be written under the label's key
   */
  insert(folder: StoredFolder): ResultAsync<void, AccountNotFound | KeyRetired | StorageError>

  /** Whether the folder exists and belongs to the account. A miss takes the same path, whatever its cause. */
  owns(accountId: Uuid, folderId: Uuid): ResultAsync<boolean, StorageError>

  /**
   * At most `limit` folders of the account after the cursor, by creation and id ascending, each with its counts at `nowMicros`: drafts,
   * and shareable secrets that expire after that time. A secret whose note is destroyed still counts.
   */
  page(
    accountId: Uuid,
    nowMicros: number,
    after: Cursor | undefined,
    limit: number,
  ): ResultAsync<readonly StoredFolderWithCounts[], StorageError>
}
