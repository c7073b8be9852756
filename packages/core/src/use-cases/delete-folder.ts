import { err, ok, type Result, type ResultAsync } from 'neverthrow'
import { uuidToFind, type Uuid } from '../entities/uuid.ts'
import type { FolderNotEmpty, FolderNotFound, StorageError } from '../errors.ts'
import type { PortMethods } from '../ports/ports.ts'

export type DeleteFolderDeps = PortMethods<{ folders: 'erase'; clock: 'nowMicros' }>
export interface DeleteFolderInput {
  readonly accountId: Uuid
  readonly id: string
}
export type DeleteFolderError = FolderNotFound | FolderNotEmpty | StorageError

/**
 * Erases a folder that holds no drafts and no secrets.
 * @errors `folder_not_empty`; `folder_not_found`, the same for an unknown, malformed or another account's id
 */
export function deleteFolder(
  { folders, clock }: DeleteFolderDeps,
  { accountId, id }: DeleteFolderInput,
): ResultAsync<void, DeleteFolderError> {
  return folders
    .erase(accountId, uuidToFind(id), clock.nowMicros())
    .andThen((found): Result<void, FolderNotFound> => (found ? ok() : err({ code: 'folder_not_found' })))
}
