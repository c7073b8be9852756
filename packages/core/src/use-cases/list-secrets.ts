import type { ShareableSecret } from '../entities/secret.ts'
import type { Uuid } from '../entities/uuid.ts'
import type { DecryptError, StorageError } from '../errors.ts'
import type { Ports } from '../ports/ports.ts'
import { showSecret } from './show-secret.ts'
import { slicesOf, type Slices } from './slices.ts'

/**
 * The account's shareable secrets that had not expired when the list was begun, newest link first. Never drafts. Secrets whose
 * note is destroyed stay until they expire.
 */
export function listSecrets(
  { secrets, secretCipher, clock }: Pick<Ports, 'secrets' | 'secretCipher' | 'clock'>,
  { accountId }: { readonly accountId: Uuid },
): Slices<ShareableSecret, DecryptError | StorageError> {
  const nowMicros = clock.nowMicros()
  return slicesOf({
    read: (after, limit) => secrets.slice(accountId, nowMicros, after, limit),
    positionOf: ({ id, link }) => ({ createdAtMicros: link.createdAtMicros, id }),
    show: (stored) => showSecret(secretCipher, stored),
  })
}
