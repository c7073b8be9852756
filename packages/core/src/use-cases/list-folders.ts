import type { FolderWithCounts } from '../entities/folder.ts'
import type { Uuid } from '../entities/uuid.ts'
import type { DecryptError, StorageError } from '../errors.ts'
import type { Ports } from '../ports/ports.ts'
import { slicesOf, type Slices } from './slices.ts'

/** The account's folders by creation and id, each with its counts as of the moment at which the list was begun. */
export function listFolders(
  { folders, textCipher, clock }: Pick<Ports, 'folders' | 'textCipher' | 'clock'>,
  { accountId }: { readonly accountId: Uuid },
): Slices<FolderWithCounts, DecryptError | StorageError> {
  const nowMicros = clock.nowMicros()
  return slicesOf({
    read: (after, limit) => folders.slice(accountId, nowMicros, after, limit),
    positionOf: ({ createdAtMicros, id }) => ({ createdAtMicros, id }),
    show: ({ id, label, createdAtMicros, draftsCount, secretsCount }) =>
      textCipher
        .decryptText({ column: 'folder.label', accountId, rowId: id }, label)
        .map((text) => ({ id, label: text, createdAtMicros, draftsCount, secretsCount })),
  })
}
