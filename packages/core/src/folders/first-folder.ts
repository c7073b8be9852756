import { err, ok, type Result } from 'neverthrow'
import type { Uuid } from '../shared/uuid.ts'
import type { AccountDisabled } from '../accounts/errors.ts'
import type { KeyRetired, StorageError } from '../shared/errors.ts'
import type { DepsOf } from '../shared/use-case.ts'
import { createFolder } from './folders.ts'

/** The label of the folder that an account begins with. */
export const firstFolderLabel = 'Inbox'

/** What {@link ensureFirstFolder} needs. */
export const ensureFirstFolderNeeds = [...createFolder.needs, 'folders.page'] as const

/** Gives an account its first folder, unless it has one. */
export async function ensureFirstFolder(
  deps: DepsOf<(typeof ensureFirstFolderNeeds)[number]>,
  accountId: Uuid,
): Promise<Result<void, AccountDisabled | KeyRetired | StorageError>> {
  const found = await deps.folders.page(accountId, deps.clock.nowMicros(), undefined, 1)
  if (found.isErr()) return err(found.error)
  if (found.value.length > 0) return ok()
  const label = firstFolderLabel
  const created = await createFolder(deps, { accountId, label })
  if (created.isOk()) return ok()
  const { error } = created
  // The account was there a moment ago, so it was deleted.
  if (error.code === 'account_not_found' || error.code === 'fields_invalid')
    return err({ code: 'account_disabled' })
  return err(error)
}
