import { err, ok, ResultAsync, type Result } from 'neverthrow'
import { nilUuid, type Uuid } from '../entities/uuid.ts'
import type { FieldsInvalid, StorageError } from '../errors.ts'
import type { Ports } from '../ports/ports.ts'
import { folderIdOf, newSecretFaults, type NewSecret } from '../rules/fields.ts'

export type CheckNewSecretPorts = Pick<Ports, 'folders' | 'limits'>

/**
 * Judges those fields of a new secret that are there, the folder's ownership included, without keeping anything. For callers
 * that found other fields at fault already and want to report all of them at once.
 * @errors `fields_invalid` with every fault; an unknown, a malformed and another account's folder are one and the same
 */
export function checkNewSecret(
  ports: CheckNewSecretPorts,
  input: { readonly accountId: Uuid } & Partial<NewSecret>,
): ResultAsync<void, FieldsInvalid | StorageError> {
  return new ResultAsync(check(ports, input))
}

async function check(
  { folders, limits }: CheckNewSecretPorts,
  { accountId, ...secret }: { readonly accountId: Uuid } & Partial<NewSecret>,
): Promise<Result<void, FieldsInvalid | StorageError>> {
  const faults = newSecretFaults(secret, limits.noteMaxBytes)
  if (secret.folderId !== undefined) {
    const owned = await folders.owns(accountId, folderIdOf(secret.folderId, nilUuid))
    if (owned.isErr()) return err(owned.error)
    if (!owned.value) faults.push({ field: 'folderId', rule: 'unknown_folder' })
  }
  return faults.length === 0 ? ok() : err({ code: 'fields_invalid', faults })
}
