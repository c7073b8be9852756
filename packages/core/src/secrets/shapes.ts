import type { AddedFiles } from '../files/secret-file.ts'
import { upload } from '../files/shapes.ts'
import { oneOf, optional, type Shape } from '../shared/inputs.ts'
import type { Uuid } from '../shared/uuid.ts'
import type { NewSecret } from './new-secret.ts'
import { type Lifetime, lifetimesSeconds } from './secret.ts'

/** A new secret or draft. */
export const newSecret: Shape<NewSecret & AddedFiles & { readonly accountId: Uuid }> = {
  upload,
  showsFiles: 'boolean?',
  accountId: 'string',
  folderId: 'string',
  label: 'string',
  note: 'string',
  openLimit: 'number?',
  notify: 'boolean?',
  password: 'string?',
}

/** How long a link lives: one of the lifetimes that links may have, or the default. */
export const lifetime: Shape<{ readonly lifetimeSeconds?: Lifetime | undefined }> = {
  lifetimeSeconds: optional(oneOf(...lifetimesSeconds)),
}
