import { err, ok, type Result, type ResultAsync } from 'neverthrow'
import { uuidToFind, type Uuid } from '../entities/uuid.ts'
import type { DraftNotFound, StorageError } from '../errors.ts'
import type { PortMethods } from '../ports/ports.ts'

export type DeleteDraftDeps = PortMethods<{ drafts: 'erase' }>
export interface DeleteDraftInput {
  readonly accountId: Uuid
  readonly id: string
}
export type DeleteDraftError = DraftNotFound | StorageError

/**
 * Erases a draft with its note.
 * @errors `draft_not_found`, the same for an unknown, malformed, shared or another account's id
 */
export function deleteDraft(
  { drafts }: DeleteDraftDeps,
  { accountId, id }: DeleteDraftInput,
): ResultAsync<void, DeleteDraftError> {
  return drafts
    .erase(accountId, uuidToFind(id))
    .andThen((found): Result<void, DraftNotFound> => (found ? ok() : err({ code: 'draft_not_found' })))
}
