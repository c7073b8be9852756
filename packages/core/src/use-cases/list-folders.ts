import type { FolderWithCounts } from '../entities/folder.ts'
import type { Uuid } from '../entities/uuid.ts'
import type { KeyUnknown, StorageError } from '../errors.ts'
import type { PortMethods } from '../ports/ports.ts'
import { creationOf, pagesOf, type ListInput, type Pages } from './pages.ts'

export type ListFoldersDeps = PortMethods<{ folders: 'page'; textCipher: 'decryptText'; clock: 'nowMicros' }>
export interface ListFoldersInput extends ListInput {
  readonly accountId: Uuid
}
export type ListFoldersError = KeyUnknown | StorageError

/** The account's folders by creation and id, each with its counts at the time at which the list was begun. */
export function listFolders(
  { folders, textCipher, clock }: ListFoldersDeps,
  { accountId, after: first, pageSize }: ListFoldersInput,
): Pages<FolderWithCounts, ListFoldersError> {
  const nowMicros = clock.nowMicros()
  return pagesOf({
    after: first,
    pageSize,
    read: (after, limit) => folders.page(accountId, nowMicros, after, limit),
    cursorOf: creationOf,
    show: ({ id, label, createdAtMicros, draftsCount, secretsCount }) =>
      textCipher
        .decryptText({ column: 'folder.label', accountId, rowId: id }, label)
        .map((text) => ({ id, label: text, createdAtMicros, draftsCount, secretsCount })),
  })
}
