import { objectOf, optional, type Shape } from '../shared/inputs.ts'
import { isArray } from '../shared/old-shapes.ts'
import type { Upload } from './secret-file.ts'

/** Files that were uploaded. */
export const uploadShape: Shape<Upload> = {
  accountId: 'string',
  secretId: 'string',
  files: isArray,
  digests: isArray,
}

/** An upload, which may be missing. */
export const upload = optional(objectOf(uploadShape))
