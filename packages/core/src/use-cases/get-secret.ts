import { err, ResultAsync, type Result } from 'neverthrow'
import type { ShareableSecret } from '../entities/secret.ts'
import { uuidToFind, type Uuid } from '../entities/uuid.ts'
import type { DecryptError, SecretNotFound, StorageError } from '../errors.ts'
import type { PortMethods } from '../ports/ports.ts'
import { showSecret } from './show-secret.ts'

export type GetSecretDeps = PortMethods<{ secrets: 'find'; secretCipher: 'decryptHead'; clock: 'nowMicros' }>
export interface GetSecretInput {
  readonly accountId: Uuid
  readonly id: string
}
export type GetSecretError = SecretNotFound | DecryptError | StorageError

/**
 * One shareable secret of the account, without its note.
 * @errors `secret_not_found`, the same for an unknown, malformed, expired, draft's or another account's id
 */
export function getSecret(
  deps: GetSecretDeps,
  input: GetSecretInput,
): ResultAsync<ShareableSecret, GetSecretError> {
  return new ResultAsync(get(deps, input))
}

async function get(
  { secrets, secretCipher, clock }: GetSecretDeps,
  { accountId, id }: GetSecretInput,
): Promise<Result<ShareableSecret, GetSecretError>> {
  const found = await secrets.find(accountId, uuidToFind(id), clock.nowMicros())
  if (found.isErr()) return err(found.error)
  return found.value === undefined ? err({ code: 'secret_not_found' }) : showSecret(secretCipher, found.value)
}
