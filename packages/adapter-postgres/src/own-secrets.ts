import type { OwnSecrets } from '@sotto/storage-sql'
import { ownDrafts } from './drafts/drafts.ts'
import { eraseSecretsOf } from './secrets/erase-secrets.ts'
import { insertSecretOf } from './secrets/insert-secret.ts'
import { hasNote } from './secrets/secret-rows.ts'

/** How the shared stores change secrets. */
export const ownSecrets: OwnSecrets = {
  erase: eraseSecretsOf,
  insert: insertSecretOf,
  drafts: ownDrafts,
  hasNote,
}
