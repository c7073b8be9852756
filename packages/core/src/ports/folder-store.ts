import type { ResultAsync } from 'neverthrow'
import type { Uuid } from '../entities/uuid.ts'
import type { AccountNotFound, KeyRetired, StorageError } from '../errors.ts'
import type { Encrypted } from './ciphertext.ts'
import type { TimePosition } from './time-position.ts'

/** A folder as it is kept. */
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
 * Keeps folders. Every write that is answered with Ok is durable. No method throws or rejects; after its end the store answers
 * `storage_unavailable`. An id or hash that is taken is `storage_failed` and changes nothing.
 */
export interface FolderStore {
  /**
   * Adds a folder to an existing account.
   * @errors `account_not_found`; `key_retired` when the label's key is not one that rows may be written under
   */
  insert(folder: StoredFolder): ResultAsync<void, AccountNotFound | KeyRetired | StorageError>

  /** Whether the folder exists and belongs to the account. A miss takes the same way, whatever its cause. */
  owns(accountId: Uuid, folderId: Uuid): ResultAsync<boolean, StorageError>

  /**
   * At most `limit` folders of the account behind `after`, by creation and id ascending, each counted at `nowMicros`: drafts,
   * and shareable secrets that expire after that moment. A secret whose note is destroyed still counts.
   */
  slice(
    accountId: Uuid,
    nowMicros: number,
    after: TimePosition | undefined,
    limit: number,
  ): ResultAsync<readonly StoredFolderWithCounts[], StorageError>
}
