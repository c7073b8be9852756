import { aBoolean, anObjectOf, aString, type Guard, type InputOf, type None } from '../shared/inputs.ts'
import type { Upload } from './secret-file.ts'

// Fields that the inputs of several use-cases about files have in common.

// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- whoever uses it says of what
function isArray<T>(value: unknown): value is readonly T[] {
  return Array.isArray(value)
}

/** What {@link Upload} consists of. */
export const uploadFields = {
  accountId: aString,
  /** The id that the secret or draft has or will have. */
  secretId: aString,
  files: isArray<Upload['files'][number]>,
  /** SHA-256 of each content in lower-case hexadecimal digits, by the files' order; for idempotency keys. */
  digests: isArray<string>,
}

/** A guard: files that were uploaded. */
export const anUpload: Guard<Upload> = anObjectOf(uploadFields)

/** What a use-case may take that adds files to a new secret, or to a draft that is edited. */
export const addedFiles = {
  /** The files that are added. An upload of another account or secret is a TypeError. After an Err it has to be dropped: `dropUpload`. */
  upload: anUpload,
  /** Whether recipients see names and sizes of all its files before they open the link. False by default. */
  showsFiles: aBoolean,
}

/** The files of a new secret, or of a draft that is edited. */
export type AddedFiles = InputOf<None, typeof addedFiles>
