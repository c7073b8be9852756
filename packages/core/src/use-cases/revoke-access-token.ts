import { err, ok, type Result, type ResultAsync } from 'neverthrow'
import { uuidToFind, type Uuid } from '../entities/uuid.ts'
import type { AccessTokenNotFound, StorageError } from '../errors.ts'
import type { PortMethods } from '../ports/ports.ts'

export type RevokeAccessTokenDeps = PortMethods<{ accessTokens: 'revoke'; clock: 'nowMicros' }>
export interface RevokeAccessTokenInput {
  readonly accountId: Uuid
  readonly id: string
}
export type RevokeAccessTokenError = AccessTokenNotFound | StorageError

/**
 * Revokes an access token: it is refused from now on, for good.
 * @errors `access_token_not_found`, the same for an unknown, malformed or another account's id
 */
export function revokeAccessToken(
  { accessTokens, clock }: RevokeAccessTokenDeps,
  { accountId, id }: RevokeAccessTokenInput,
): ResultAsync<void, RevokeAccessTokenError> {
  return accessTokens
    .revoke(accountId, uuidToFind(id), clock.nowMicros())
    .andThen((found): Result<void, AccessTokenNotFound> =>
      found ? ok() : err({ code: 'access_token_not_found' }),
    )
}
