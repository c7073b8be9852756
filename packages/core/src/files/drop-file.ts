import type { ResultAsync } from 'neverthrow'
import type { Uuid } from '../shared/uuid.ts'
import type { StorageError } from '../shared/errors.ts'
import type { DepsOf } from '../shared/use-case.ts'

/** What {@link dropFile} needs. */
export const dropFileNeeds = ['fileContents.drop', 'secretFiles.erase'] as const

/**
 * Drops a content, then its row, as a file or under way, and takes it off the account's sum. Ok(false) when there is no such row any more.
 */
export function dropFile(
  { fileContents, secretFiles }: DepsOf<(typeof dropFileNeeds)[number]>,
  id: Uuid,
): ResultAsync<boolean, StorageError> {
  return fileContents.drop(id).andThen(() => secretFiles.erase(id))
}
