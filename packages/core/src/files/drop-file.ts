import type { ResultAsync } from 'neverthrow'
import type { Uuid } from '../shared/uuid.ts'
import type { StorageError } from '../shared/errors.ts'
import type { SecretFileStore } from './secret-file-store.ts'
import type { FileStore } from './file-store.ts'

export interface DropFileDeps {
  readonly secretFiles: Pick<SecretFileStore, 'erase'>
  readonly fileContents: Pick<FileStore, 'drop'>
}

/**
 * Drops a content, then its row, as a file or under way, and takes it off the account's sum. Ok(false) when there is no such row any more.
 */
export function dropFile(
  { fileContents, secretFiles }: DropFileDeps,
  id: Uuid,
): ResultAsync<boolean, StorageError> {
  return fileContents.drop(id).andThen(() => secretFiles.erase(id))
}
