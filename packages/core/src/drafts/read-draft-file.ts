import { err, ok, ResultAsync, type Result } from 'neverthrow'
import { uuidToFind, type Uuid } from '../shared/uuid.ts'
import type { DecryptError, HasherBusy, StorageError } from '../shared/errors.ts'
import type { FileNotFound } from '../files/errors.ts'
import { readableFile, type ReadableFile, type ReadFileDeps } from '../files/tickets.ts'
import { splitNote } from '../files/file-rules.ts'
import type { SecretCipher } from '../secrets/secret-cipher.ts'
import type { DraftStore } from './draft-store.ts'

export interface ReadDraftFileDeps extends ReadFileDeps {
  readonly drafts: Pick<DraftStore, 'find'>
  readonly secretCipher: Pick<SecretCipher, 'decryptNote'>
}
export interface ReadDraftFileInput {
  readonly accountId: Uuid
  readonly id: string
  /** The place of the file among those of the draft, from 1. */
  readonly number: number
}
export type ReadDraftFileError = FileNotFound | HasherBusy | DecryptError | StorageError

/**
 * A file of a draft, to be saved by its owner. As with its note, nobody reads that of a draft with a password by the session alone.
 * @errors `file_not_found`, the same for an unknown, malformed, shared or another account's id, for a draft with a password, and for a number
 * that no file has
 */
export function readDraftFile(
  deps: ReadDraftFileDeps,
  { accountId, id, number }: ReadDraftFileInput,
): ResultAsync<ReadableFile, ReadDraftFileError> {
  const read = async (): Promise<Result<ReadableFile, ReadDraftFileError>> => {
    const found = await deps.drafts.find(accountId, uuidToFind(id))
    if (found.isErr()) return err(found.error)
    if (found.value === undefined || found.value.secret.hasPassword) return err({ code: 'file_not_found' })
    const { secret, note } = found.value
    const decrypted = await deps.secretCipher.decryptNote(secret, note, undefined)
    if (decrypted.isErr()) {
      const { error } = decrypted
      const isGuarded = error.code === 'password_required' || error.code === 'password_wrong'
      return err(isGuarded ? { code: 'file_not_found' } : error)
    }
    const split = splitNote(decrypted.value)
    if (split === undefined) return err({ code: 'data_damaged', what: 'secret.note', id: secret.id })
    const file = split.files[number - 1]
    if (file === undefined) return err({ code: 'file_not_found' })
    return ok(readableFile(deps, { accountId, secretId: secret.id }, file))
  }
  return new ResultAsync(read())
}
