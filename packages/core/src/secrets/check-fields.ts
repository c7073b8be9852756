import { err, ok, type Result } from 'neverthrow'
import type { AddedFiles } from '../files/shapes.ts'
import type { FieldError, FieldsInvalid, NewSecretRule, StorageError } from '../shared/errors.ts'
import type { DepsOf } from '../shared/use-case.ts'
import { uuidToFind, type Uuid } from '../shared/uuid.ts'
import type { FolderNotFound } from './errors.ts'
import { newSecretErrors, type LinkLifetime, type NewSecret, type NoteFiles } from './new-secret.ts'

/** What {@link checkFields} needs. */
export const checkNeeds = ['folders.owns', 'policy.noteMaxBytes'] as const

/** Fields of a new secret or draft, and what its note comes with. */
type CheckedFields = { readonly accountId: Uuid } & LinkLifetime &
  NoteFiles &
  Partial<NewSecret> &
  Pick<AddedFiles, 'upload'>

/** Finds every rule that those fields break which are given, the ownership of the folder included. */
export async function checkFields(
  { folders, policy }: DepsOf<(typeof checkNeeds)[number]>,
  input: CheckedFields,
): Promise<Result<void, FieldsInvalid<NewSecretRule> | StorageError>> {
  const { accountId, folderId, upload, hasFiles = (upload?.files.length ?? 0) > 0 } = input
  const errors = newSecretErrors({ ...input, hasFiles }, policy.noteMaxBytes)
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
