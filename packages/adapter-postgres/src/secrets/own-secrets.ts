import type { OwnSecrets } from '@sotto/storage-sql'
import { eraseSecretsOf } from './erase-secrets.ts'
import { insertSecretOf } from './insert-secret.ts'
import { hasNote } from './secret-rows.ts'

/** How the shared stores change secrets. */
export const ownSecrets: OwnSecrets = { erase: eraseSecretsOf, insert: insertSecretOf, hasNote }
