import { err, ResultAsync, type Result } from 'neverthrow'
import { isExpired, type ShareableSecret } from '../entities/secret.ts'
import { nilUuid, parseUuid, type Uuid } from '../entities/uuid.ts'
import type { DecryptError, SecretNotFound, StorageError } from '../errors.ts'
import type { Ports } from '../ports/ports.ts'
import { showSecret } from './show-secret.ts'

type GetSecretPorts = Pick<Ports, 'secrets' | 'secretCipher' | 'clock'>
type GetSecretError = SecretNotFound | DecryptError | StorageError

/**
 * One shareable secret of the account, without its note.
 * @errors `secret_not_found` for an unknown, malformed, expired, draft's or another account's id alike
 */
export function getSecret(
  ports: GetSecretPorts,
  input: { readonly accountId: Uuid; readonly id: string },
): ResultAsync<ShareableSecret, GetSecretError> {
  return new ResultAsync(get(ports, input))
}

async function get(
  { secrets, secretCipher, clock }: GetSecretPorts,
  { accountId, id }: { readonly accountId: Uuid; readonly id: string },
): Promise<Result<ShareableSecret, GetSecretError>> {
  // A malformed id takes the way of an unknown one.
  const found = await secrets.find(accountId, parseUuid(id) ?? nilUuid)
  if (found.isErr()) return err(found.error)
  const stored = found.value
  const link = stored?.link
  if (stored === undefined || link === undefined || isExpired(link.expiresAtMicros, clock.nowMicros())) {
    return err({ code: 'secret_not_found' })
  }
  return showSecret(secretCipher, { ...stored, link })
}
