import { err, ok, ResultAsync, type Result } from 'neverthrow'
import type { Uuid } from '../shared/uuid.ts'
import type { Folder } from './folder.ts'
import type { FolderStore } from './folder-store.ts'
import {
  createFolder,
  listFolders,
  type CreateFolderDeps,
  type CreateFolderError,
  type ListFoldersDeps,
  type ListFoldersError,
} from './folders.ts'

export type EnsureFolderDeps = CreateFolderDeps &
  ListFoldersDeps & { readonly folders: Pick<FolderStore, 'erase'> }
export interface EnsureFolderInput {
  readonly accountId: Uuid
  /** 1 to 255 code points, nothing that people do not see. Labels are compared exactly. */
  readonly label: string
}
export type EnsureFolderError = CreateFolderError | ListFoldersError

/**
 * The account's oldest folder with this label, created when there is none yet. Several simultaneous calls get the same folder, unless the
 * clocks of their processes differ: no store can compare labels, which are encrypted. All folders of the account are read.
 * @errors `fields_invalid`, `account_not_found`
 */
export function ensureFolder(
  deps: EnsureFolderDeps,
  input: EnsureFolderInput,
): ResultAsync<Folder, EnsureFolderError> {
  return new ResultAsync(ensure(deps, input))
}

async function ensure(
  deps: EnsureFolderDeps,
  { accountId, label }: EnsureFolderInput,
): Promise<Result<Folder, EnsureFolderError>> {
  const found = await oldest(deps, accountId, label)
  if (found.isErr()) return err(found.error)
  if (found.value !== undefined) return ok(found.value)
  const created = await createFolder(deps, { accountId, label })
  if (created.isErr()) return err(created.error)
  const first = await oldest(deps, accountId, label)
  if (first.isErr()) return err(first.error)
  if (first.value === undefined || first.value.id === created.value.id) return ok(created.value)
  // Another call was faster. The folder of this one goes, unless somebody has found it and put something into it.
  const erased = await deps.folders.erase(accountId, created.value.id, deps.clock.nowMicros())
  return erased.isErr() && erased.error.code !== 'folder_not_empty' ? err(erased.error) : ok(first.value)
}

async function oldest(
  deps: ListFoldersDeps,
  accountId: Uuid,
  label: string,
): Promise<Result<Folder | undefined, ListFoldersError>> {
  for await (const page of listFolders(deps, { accountId })) {
    if (page.isErr()) return err(page.error)
    const found = page.value.items.find((folder) => folder.label === label)
    if (found !== undefined) {
      const { id, createdAtMicros } = found
      return ok({ id, label, createdAtMicros })
    }
  }
  return ok(undefined)
}
