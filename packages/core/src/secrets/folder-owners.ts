import type { ResultAsync } from 'neverthrow'
import type { StorageError } from '../shared/errors.ts'
import type { Uuid } from '../shared/uuid.ts'

/** The owners of the folders that secrets, drafts and requests are put into. No method throws or rejects. */
export interface FolderOwners {
  /**
   * Whether the folder exists and belongs to the account. A miss takes the same path, whatever its cause. For a moment it may still be true
   * of a folder that another process has erased: nothing can be added to it.
   */
  owns(accountId: Uuid, folderId: Uuid): ResultAsync<boolean, StorageError>
}
