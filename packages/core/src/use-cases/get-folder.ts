import { err, ResultAsync, type Result } from 'neverthrow'
import type { FolderWithCounts } from '../entities/folder.ts'
import { uuidToFind, type Uuid } from '../entities/uuid.ts'
import type { DecryptError, FolderNotFound, StorageError } from '../errors.ts'
import type { PortMethods } from '../ports/ports.ts'

export type GetFolderDeps = PortMethods<{ folders: 'find'; textCipher: 'decryptText'; clock: 'nowMicros' }>
export interface GetFolderInput {
  readonly accountId: Uuid
  readonly id: string
}
export type GetFolderError = FolderNotFound | DecryptError | StorageError

/**
 * One folder of the account, with its counts.
 * @errors `folder_not_found`, the same for an unknown, malformed or another account's id
 */
export function getFolder(
  deps: GetFolderDeps,
  input: GetFolderInput,
): ResultAsync<FolderWithCounts, GetFolderError> {
  return new ResultAsync(get(deps, input))
}

async function get(
  { folders, textCipher, clock }: GetFolderDeps,
  { accountId, id }: GetFolderInput,
): Promise<Result<FolderWithCounts, GetFolderError>> {
  const found = await folders.find(accountId, uuidToFind(id), clock.nowMicros())
  if (found.isErr()) return err(found.error)
  if (found.value === undefined) return err({ code: 'folder_not_found' })
  const { accountId: _, label, ...folder } = found.value
  return textCipher
    .decryptText({ column: 'folder.label', accountId, rowId: folder.id }, label)
    .map((text) => ({ ...folder, label: text }))
}
