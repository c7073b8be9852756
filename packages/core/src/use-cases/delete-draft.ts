import type { ResultAsync } from 'neverthrow'
import { nilUuid, parseUuid, type Uuid } from '../entities/uuid.ts'
import type { DraftNotFound, StorageError } from '../errors.ts'
import type { Ports } from '../ports/ports.ts'
import { orNotFound } from './found.ts'

/**
 * Erases a draft with its note.
 * @errors `draft_not_found` for an unknown, malformed, shared or another account's id alike
 */
export function deleteDraft(
  { drafts }: Pick<Ports, 'drafts'>,
  { accountId, id }: { readonly accountId: Uuid; readonly id: string },
): ResultAsync<void, DraftNotFound | StorageError> {
  return orNotFound(drafts.erase(accountId, parseUuid(id) ?? nilUuid), { code: 'draft_not_found' as const })
}
