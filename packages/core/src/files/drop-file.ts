import type { ResultAsync } from 'neverthrow'
import type { Uuid } from '../shared/uuid.ts'
import type { StorageError } from '../errors.ts'
import type { PortMethods } from '../storage/ports.ts'

export type DropFileDeps = PortMethods<{ secretFiles: 'erase'; fileContents: 'drop' }>

/**
 * Drops a content, then its row, as a file or under way, and takes it off the account's sum. Ok(false) when there is no such row any more.
 */
export function dropFile(
  { fileContents, secretFiles }: DropFileDeps,
  id: Uuid,
): ResultAsync<boolean, StorageError> {
  return fileContents.drop(id).andThen(() => secretFiles.erase(id))
}
