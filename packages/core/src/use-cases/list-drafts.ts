import type { Draft } from '../entities/secret.ts'
import { uuidToFind, type Uuid } from '../entities/uuid.ts'
import type { KeyUnknown, StorageError } from '../errors.ts'
import type { PortMethods } from '../ports/ports.ts'
import { creationOf, pagesOf, type ListInput, type Pages } from './pages.ts'
import { showDraft } from './show-secret.ts'

export type ListDraftsDeps = PortMethods<{ drafts: 'page'; secretCipher: 'decryptHead' }>
export interface ListDraftsInput extends ListInput {
  readonly accountId: Uuid
  /** Only the drafts in this folder. An unknown, malformed or another account's folder has none. */
  readonly folderId?: string | undefined
}
export type ListDraftsError = KeyUnknown | StorageError

/** The account's drafts by creation and id, without their notes. */
export function listDrafts(
  { drafts, secretCipher }: ListDraftsDeps,
  { accountId, folderId, after: first, pageSize }: ListDraftsInput,
): Pages<Draft, ListDraftsError> {
  const filter = { accountId, folderId: folderId === undefined ? undefined : uuidToFind(folderId) }
  return pagesOf({
    after: first,
    pageSize,
    read: (after, limit) => drafts.page(filter, after, limit),
    cursorOf: creationOf,
    show: (stored) => showDraft(secretCipher, stored),
  })
}
