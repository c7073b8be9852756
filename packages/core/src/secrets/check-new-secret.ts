import { err, ok, ResultAsync, type Result } from 'neverthrow'
import type { AddedFiles } from '../files/secret-file.ts'
import { uuidToFind, type Uuid } from '../shared/uuid.ts'
import type { FolderNotFound } from './errors.ts'
import type { FieldError, FieldsInvalid, NewSecretRule, StorageError } from '../shared/errors.ts'
import type { Policy } from '../policy.ts'
import type { FolderOwners } from './folder-owners.ts'
import { type LinkLifetime, type NewSecret, newSecretErrors, type NoteFiles } from './new-secret.ts'

export type CheckNewSecretDeps = { readonly folders: FolderOwners } & {
  readonly policy: Pick<Policy, 'noteMaxBytes'>
}
export type CheckNewSecretInput = { readonly accountId: Uuid } & LinkLifetime & NoteFiles & Partial<NewSecret>
export type CheckNewSecretError = FieldsInvalid<NewSecretRule> | StorageError

/**
 * Checks those fields of a new secret that are given, the folder's ownership included, without storing anything. For callers that have
 * found other invalid fields already and want to report all of them together.
 * @errors `fields_invalid` with every invalid field; an unknown, a malformed and another account's folder give the same error
 */
export function checkNewSecret(
  deps: CheckNewSecretDeps,
  input: CheckNewSecretInput,
): ResultAsync<void, CheckNewSecretError> {
  return new ResultAsync(check(deps, input))
}

/** {@link checkNewSecret} of a secret whose files have arrived, if it has any. */
export function checkWithFiles(
  deps: CheckNewSecretDeps,
  input: CheckNewSecretInput & Pick<AddedFiles, 'upload'>,
): ResultAsync<void, CheckNewSecretError> {
  return checkNewSecret(deps, { ...input, hasFiles: (input.upload?.files.length ?? 0) > 0 })
}

async function check(
  { folders, policy }: CheckNewSecretDeps,
  input: CheckNewSecretInput,
): Promise<Result<void, CheckNewSecretError>> {
  const errors = newSecretErrors(input, policy.noteMaxBytes)
  const { accountId, folderId } = input
  if (folderId !== undefined) {
    const owned = await folders.owns(accountId, uuidToFind(folderId))
    if (owned.isErr()) return err(owned.error)
    if (!owned.value) errors.push(unknownFolder)
  }
  return errors.length === 0 ? ok() : err({ code: 'fields_invalid', errors })
}

/** The folder does not exist, or belongs to another account. */
export const unknownFolder: FieldError<'unknown_folder'> = { field: 'folderId', rule: 'unknown_folder' }

/** The error of a store, as the error of a field where the folder was deleted after it was checked. */
export function withoutFolderNotFound<E extends { readonly code: string }>(
  error: E,
): Exclude<E, FolderNotFound> | FieldsInvalid<'unknown_folder'> {
  return error.code === 'folder_not_found'
    ? { code: 'fields_invalid', errors: [unknownFolder] }
    : (error as Exclude<E, FolderNotFound>)
}
