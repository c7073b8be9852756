import type { AddedFiles } from '../files/secret-file.ts'
import { upload } from '../files/shapes.ts'
import type { Shape } from '../shared/inputs.ts'
import type { Uuid } from '../shared/uuid.ts'
import type { LinkLifetime, NewSecret } from './new-secret.ts'

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

/** How long a link lives. */
export const lifetime: Shape<LinkLifetime> = { lifetimeSeconds: 'number?' }
