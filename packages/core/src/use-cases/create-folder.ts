import { err, ok, ResultAsync, type Result } from 'neverthrow'
import type { Folder } from '../entities/folder.ts'
import type { Uuid } from '../entities/uuid.ts'
import type { AccountNotFound, FieldsInvalid, KeyRetired, StorageError } from '../errors.ts'
import type { PortMethods } from '../ports/ports.ts'
import { labelError } from '../rules/fields.ts'
import { underActiveKey } from './active-key.ts'
import { newId } from './ids.ts'

export type CreateFolderDeps = PortMethods<{
  folders: 'insert'
  textCipher: 'encryptText'
  keyRing: 'refresh'
  clock: 'nowMicros'
  random: 'bytes'
}>
export interface CreateFolderInput {
  readonly accountId: Uuid
  /** 1 to 255 code points, no control characters. */
  readonly label: string
}
export type CreateFolderError = FieldsInvalid | AccountNotFound | KeyRetired | StorageError

/**
 * Adds a folder to an account.
 * @errors `fields_invalid`, `account_not_found`
 */
export function createFolder(
  deps: CreateFolderDeps,
  input: CreateFolderInput,
): ResultAsync<Folder, CreateFolderError> {
  return new ResultAsync(create(deps, input))
}

async function create(
  { folders, textCipher, keyRing, clock, random }: CreateFolderDeps,
  { accountId, label }: CreateFolderInput,
): Promise<Result<Folder, CreateFolderError>> {
  const broken = labelError(label)
  if (broken !== undefined) return err({ code: 'fields_invalid', errors: [{ field: 'label', ...broken }] })
  const createdAtMicros = clock.nowMicros()
  const id = newId(random, createdAtMicros)
  const inserted = await underActiveKey(keyRing, () => {
    const encrypted = textCipher.encryptText({ column: 'folder.label', accountId, rowId: id }, label)
    return folders.insert({ id, accountId, label: encrypted, createdAtMicros })
  })
  return inserted.isErr() ? err(inserted.error) : ok({ id, label, createdAtMicros })
}
