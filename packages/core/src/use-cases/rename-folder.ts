import { err, ok, ResultAsync, type Result } from 'neverthrow'
import { uuidToFind, type Uuid } from '../entities/uuid.ts'
import type { FieldsInvalid, FolderNotFound, KeyRetired, StorageError } from '../errors.ts'
import type { PortMethods } from '../ports/ports.ts'
import { labelError } from '../rules/fields.ts'
import { underActiveKey } from './active-key.ts'

export type RenameFolderDeps = PortMethods<{
  folders: 'relabel'
  textCipher: 'encryptText'
  keyRing: 'refresh'
}>
export interface RenameFolderInput {
  readonly accountId: Uuid
  readonly id: string
  /** 1 to 255 code points, no control characters. */
  readonly label: string
}
export type RenameFolderError = FieldsInvalid | FolderNotFound | KeyRetired | StorageError

/**
 * Gives a folder another label.
 * @errors `fields_invalid`; `folder_not_found`, the same for an unknown, malformed or another account's id
 */
export function renameFolder(
  deps: RenameFolderDeps,
  input: RenameFolderInput,
): ResultAsync<void, RenameFolderError> {
  return new ResultAsync(rename(deps, input))
}

async function rename(
  { folders, textCipher, keyRing }: RenameFolderDeps,
  { accountId, id, label }: RenameFolderInput,
): Promise<Result<void, RenameFolderError>> {
  const broken = labelError(label)
  if (broken !== undefined) return err({ code: 'fields_invalid', errors: [{ field: 'label', ...broken }] })
  const rowId = uuidToFind(id)
  const renamed = await underActiveKey(keyRing, () =>
    folders.relabel(
      accountId,
      rowId,
      textCipher.encryptText({ column: 'folder.label', accountId, rowId }, label),
    ),
  )
  if (renamed.isErr()) return err(renamed.error)
  return renamed.value ? ok() : err({ code: 'folder_not_found' })
}
