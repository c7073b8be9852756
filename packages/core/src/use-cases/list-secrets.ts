import type { ShareableSecret } from '../entities/secret.ts'
import { uuidToFind, type Uuid } from '../entities/uuid.ts'
import type { KeyUnknown, StorageError } from '../errors.ts'
import type { PortMethods } from '../ports/ports.ts'
import { pagesOf, type ListInput, type Pages } from './pages.ts'
import { showSecret } from './show-secret.ts'

export type ListSecretsDeps = PortMethods<{
  secrets: 'page'
  secretCipher: 'decryptHead'
  clock: 'nowMicros'
}>
/** `after` is the position of the last secret that was read: when its link was made, and its id. */
export interface ListSecretsInput extends ListInput {
  readonly accountId: Uuid
  /** Only the secrets in this folder. An unknown, malformed or another account's folder has none. */
  readonly folderId?: string | undefined
}
export type ListSecretsError = KeyUnknown | StorageError

/**
 * The account's shareable secrets that had not expired when the list was begun, newest link first. Never drafts. Secrets whose note is
 * destroyed stay in the list until they expire.
 */
export function listSecrets(
  { secrets, secretCipher, clock }: ListSecretsDeps,
  { accountId, folderId, after: first, pageSize }: ListSecretsInput,
): Pages<ShareableSecret, ListSecretsError> {
  const filter = {
    accountId,
    folderId: folderId === undefined ? undefined : uuidToFind(folderId),
    nowMicros: clock.nowMicros(),
  }
  return pagesOf({
    after: first,
    pageSize,
    read: (after, limit) => secrets.page(filter, after, limit),
    cursorOf: ({ id, link }) => ({ createdAtMicros: link.createdAtMicros, id }),
    show: (stored) => showSecret(secretCipher, stored),
  })
}
