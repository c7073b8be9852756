import type { ResultAsync } from 'neverthrow'
import { nilUuid, parseUuid, type Uuid } from '../entities/uuid.ts'
import type { AccessTokenNotFound, StorageError } from '../errors.ts'
import type { Ports } from '../ports/ports.ts'
import { orNotFound } from './found.ts'

/**
 * Revokes an access token: it is refused from now on, for good.
 * @errors `access_token_not_found` for an unknown, malformed or another account's id alike
 */
export function revokeAccessToken(
  { accessTokens, clock }: Pick<Ports, 'accessTokens' | 'clock'>,
  { accountId, id }: { readonly accountId: Uuid; readonly id: string },
): ResultAsync<void, AccessTokenNotFound | StorageError> {
  const revoked = accessTokens.revoke(accountId, parseUuid(id) ?? nilUuid, clock.nowMicros())
  return orNotFound(revoked, { code: 'access_token_not_found' as const })
}
