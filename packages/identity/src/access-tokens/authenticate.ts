import type { Caller, StorageError, Digests, Clock } from '@sotto/core'
import { err, ok, ResultAsync, type Result } from 'neverthrow'
import { isAccessToken, noAccessToken } from './access-token.ts'
import { isUseToBeRecorded } from '@sotto/core'
import type { TokenInvalid } from '@sotto/core'
import type { AccessTokenStore } from './access-token-store.ts'

export interface AuthenticateDeps {
  readonly accessTokens: Pick<AccessTokenStore, 'findUsable' | 'recordUse'>
  readonly digests: Pick<Digests, 'accessTokenDigest'>
  readonly clock: Clock
}
export interface AuthenticateInput {
  /** The access token as the caller sent it. */
  readonly token: string
}
export type AuthenticateError = TokenInvalid | StorageError

/**
 * Finds out whose access token this is.
 * @errors `token_invalid`, the same for a malformed, unknown, revoked or expired token and for a disabled account
 */
export function authenticate(
  deps: AuthenticateDeps,
  input: AuthenticateInput,
): ResultAsync<Caller, AuthenticateError> {
  return new ResultAsync(findCaller(deps, input))
}

async function findCaller(
  { accessTokens, digests, clock }: AuthenticateDeps,
  { token }: AuthenticateInput,
): Promise<Result<Caller, AuthenticateError>> {
  const digest = digests.accessTokenDigest(isAccessToken(token) ? token : noAccessToken)
  const nowMicros = clock.nowMicros()
  const found = await accessTokens.findUsable(digest, nowMicros)
  if (found.isErr()) return err(found.error)
  if (found.value === undefined) return err({ code: 'token_invalid' })
  const { id, accountId, scopes, lastUsedAtMicros } = found.value
  if (isUseToBeRecorded(lastUsedAtMicros, nowMicros)) accessTokens.recordUse(id, nowMicros)
  return ok({ accountId, via: { kind: 'access_token', id }, scopes })
}
