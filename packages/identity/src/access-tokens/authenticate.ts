import { isUseToBeRecorded, type Caller, type TokenInvalid } from '@sotto/core'
import { aString } from '@sotto/core/building-blocks'
import { err, ok } from 'neverthrow'
import { useCase } from '../use-case.ts'
import { isAccessToken, noAccessToken } from './access-token.ts'

/**
 * Finds out whose access token this is.
 * @errors `token_invalid`, the same for a malformed, unknown, revoked or expired token and for a disabled account
 */
export const authenticate = useCase({
  needs: [
    'accessTokens.findUsable',
    'accessTokens.recordUse',
    'digests.accessTokenDigest',
    'clock.nowMicros',
  ],
  takes: {
    /** The access token as the caller sent it. */
    token: aString,
  },
  async run({ accessTokens, digests, clock }, { token }) {
    const digest = digests.accessTokenDigest(isAccessToken(token) ? token : noAccessToken)
    const nowMicros = clock.nowMicros()
    const found = await accessTokens.findUsable(digest, nowMicros)
    if (found.isErr()) return found
    if (found.value === undefined) return err<never, TokenInvalid>({ code: 'token_invalid' })
    const { id, accountId, scopes, lastUsedAtMicros } = found.value
    if (isUseToBeRecorded(lastUsedAtMicros, nowMicros)) accessTokens.recordUse(id, nowMicros)
    return ok<Caller>({ accountId, via: { kind: 'access_token', id }, scopes })
  },
})
