import { err, ok, ResultAsync, type Result } from 'neverthrow'
import { isAccessToken, type Caller } from '../entities/access-token.ts'
import type { StorageError, TokenInvalid } from '../errors.ts'
import type { TokenStanding } from '../ports/access-token-store.ts'
import type { Ports } from '../ports/ports.ts'

/** How old the last noted use may be before another one is noted. */
const useNotedEveryMicros = 60 * 1_000_000

/**
 * Tells whose access token this is.
 * @errors `token_invalid` for a malformed, unknown, revoked or expired token and for a disabled account alike
 */
export function authenticate(
  ports: Pick<Ports, 'accessTokens' | 'digests' | 'clock'>,
  { token }: { readonly token: string },
): ResultAsync<Caller, TokenInvalid | StorageError> {
  return new ResultAsync(findCaller(ports, token))
}

async function findCaller(
  { accessTokens, digests, clock }: Pick<Ports, 'accessTokens' | 'digests' | 'clock'>,
  token: string,
): Promise<Result<Caller, TokenInvalid | StorageError>> {
  if (!isAccessToken(token)) return err({ code: 'token_invalid' })
  const found = await accessTokens.findByHash(digests.accessTokenHash(token))
  if (found.isErr()) return err(found.error)
  const nowMicros = clock.nowMicros()
  const standing = found.value
  if (standing === undefined || !isValid(standing, nowMicros)) return err({ code: 'token_invalid' })
  const { id, accountId, scopes, lastUsedAtMicros } = standing
  if (lastUsedAtMicros === undefined || Math.abs(nowMicros - lastUsedAtMicros) >= useNotedEveryMicros) {
    accessTokens.noteUse(id, nowMicros)
  }
  return ok({ accountId, tokenId: id, scopes })
}

function isValid(standing: TokenStanding, nowMicros: number): boolean {
  if (standing.accountDisabled || standing.revokedAtMicros !== undefined) return false
  return standing.expiresAtMicros === undefined || standing.expiresAtMicros > nowMicros
}
