import { anObjectOf, aString, objectOf, optional, type Guard, type Shape } from '../shared/inputs.ts'
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

/** Files that were uploaded. */
export const uploadShape: Shape<Upload> = {
  accountId: 'string',
  secretId: 'string',
  files: isArray,
  digests: isArray,
}

/** An upload, which may be missing. */
export const upload = optional(objectOf(uploadShape))
