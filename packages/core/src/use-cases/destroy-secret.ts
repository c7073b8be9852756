import { err, ok, type Result, type ResultAsync } from 'neverthrow'
import { uuidToFind, type Uuid } from '../entities/uuid.ts'
import type { SecretNotFound, StorageError } from '../errors.ts'
import type { Ports } from '../ports/ports.ts'

export type DestroySecretDeps = Pick<Ports, 'secrets'>
export interface DestroySecretInput {
  readonly accountId: Uuid
  readonly id: string
}
export type DestroySecretError = SecretNotFound | StorageError

/**
 * Erases a shareable secret with its note: its link is dead, and it is gone from lists and counts.
 * @errors `secret_not_found`, the same for an unknown, malformed, draft's or another account's id
 */
export function destroySecret(
  { secrets }: DestroySecretDeps,
  { accountId, id }: DestroySecretInput,
): ResultAsync<void, DestroySecretError> {
  return secrets
    .erase(accountId, uuidToFind(id))
    .andThen((found): Result<void, SecretNotFound> => (found ? ok() : err({ code: 'secret_not_found' })))
}
