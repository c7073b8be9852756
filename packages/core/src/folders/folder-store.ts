import type { ResultAsync } from 'neverthrow'
import type { Uuid } from '../shared/uuid.ts'
import type { FolderNotEmpty } from './errors.ts'
import type { FolderOwners } from '../secrets/folder-owners.ts'
import type { AccountNotFound } from '../accounts/errors.ts'
import type { KeyRetired, StorageError } from '../shared/errors.ts'
import type { Encrypted } from '../shared/ciphertext.ts'
import type { Cursor } from '../shared/cursor.ts'

/** A folder as it is stored. */
export interface StoredFolder {
  readonly id: Uuid
  readonly accountId: Uuid
  readonly label: Encrypted
  readonly createdAtMicros: number
}

/** A folder, with the numbers of its drafts and of its shareable secrets that have not expired. */
export interface StoredFolderWithCounts extends StoredFolder {
  readonly draftsCount: number
  readonly secretsCount: number
}

/**
 * Stores folders. Every write that is answered with Ok is durable. No method throws or rejects; a closed store answers
 * `storage_unavailable`. An id that is taken is `storage_failed` and changes nothing.
 */
export interface FolderStore extends FolderOwners {
  /**
   * Adds a folder to an existing account.
   * @errors `account_not_found`; `key_retired` when rows may not be written under the label's key
   */
  insert(folder: StoredFolder): ResultAsync<void, AccountNotFound | KeyRetired | StorageError>

  /** The account's folder with this id, with its counts at `nowMicros`; `undefined` when there is none. */
  find(
    accountId: Uuid,
    id: Uuid,
    nowMicros: number,
  ): ResultAsync<StoredFolderWithCounts | undefined, StorageError>

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

  /**
   * Replaces a folder's label. Ok(false) when the account has no such folder.
   * @errors `key_retired` when rows may not be written under the label's key
   */
  relabel(accountId: Uuid, id: Uuid, label: Encrypted): ResultAsync<boolean, KeyRetired | StorageError>

  /**
   * Erases a folder that holds no draft, no shareable secret that expires after `nowMicros`, and no request that can be answered then
   * (`RequestStore.countOpen`). Secrets that have expired are erased with it, with their notes, and so are its other requests. One
   * transaction. Ok(false) when the account has no such folder.
   * @errors `folder_not_empty`; nothing is changed
   */
  erase(accountId: Uuid, id: Uuid, nowMicros: number): ResultAsync<boolean, FolderNotEmpty | StorageError>
}
