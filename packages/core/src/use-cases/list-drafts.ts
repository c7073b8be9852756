import type { Draft } from '../entities/secret.ts'
import type { Uuid } from '../entities/uuid.ts'
import type { DecryptError, StorageError } from '../errors.ts'
import type { Ports } from '../ports/ports.ts'
import { showDraft } from './show-secret.ts'
import { slicesOf, type Slices } from './slices.ts'

/** The account's drafts by creation and id, without their notes. */
export function listDrafts(
  { drafts, secretCipher }: Pick<Ports, 'drafts' | 'secretCipher'>,
  { accountId }: { readonly accountId: Uuid },
): Slices<Draft, DecryptError | StorageError> {
  return slicesOf({
    read: (after, limit) => drafts.slice(accountId, after, limit),
    positionOf: ({ createdAtMicros, id }) => ({ createdAtMicros, id }),
    show: (stored) => showDraft(secretCipher, stored),
  })
}
