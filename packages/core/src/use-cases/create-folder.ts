import { err, ok, ResultAsync, type Result } from 'neverthrow'
import type { Folder } from '../entities/folder.ts'
import { uuidV7, uuidV7RandomBytes, type Uuid } from '../entities/uuid.ts'
import type { AccountNotFound, FieldsInvalid, KeyRetired, StorageError } from '../errors.ts'
import type { Ports } from '../ports/ports.ts'
import { labelFault } from '../rules/fields.ts'
import { underActiveKey } from './active-key.ts'

type CreateFolderPorts = Pick<Ports, 'folders' | 'textCipher' | 'keyRing' | 'clock' | 'random'>
type CreateFolderError = FieldsInvalid | AccountNotFound | KeyRetired | StorageError
interface CreateFolderInput {
  readonly accountId: Uuid
  /** 1 to 255 code points, no control characters. */
  readonly label: string
}

/**
 * Adds a folder to an account.
 * @errors `fields_invalid`, `account_not_found`
 */
export function createFolder(
  ports: CreateFolderPorts,
  input: CreateFolderInput,
): ResultAsync<Folder, CreateFolderError> {
  return new ResultAsync(create(ports, input))
}

async function create(
  { folders, textCipher, keyRing, clock, random }: CreateFolderPorts,
  { accountId, label }: CreateFolderInput,
): Promise<Result<Folder, CreateFolderError>> {
  const fault = labelFault(label)
  if (fault !== undefined) return err({ code: 'fields_invalid', faults: [{ field: 'label', ...fault }] })
  const nowMicros = clock.nowMicros()
  const id = uuidV7(nowMicros, random.bytes(uuidV7RandomBytes))
  const inserted = await underActiveKey(keyRing, () => {
    const encrypted = textCipher.encryptText({ column: 'folder.label', accountId, rowId: id }, label)
    return folders.insert({ id, accountId, label: encrypted, createdAtMicros: nowMicros })
  })
  return inserted.isErr() ? err(inserted.error) : ok({ id, label, createdAtMicros: nowMicros })
}
