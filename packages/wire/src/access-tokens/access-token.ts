import type { AccessToken, NewAccessToken } from '@sotto/identity'
import { isoMicros, timeOrNull } from '../shared/iso-micros.ts'

/** The document of `token create`. */
export function toWireNewAccessToken({ id, token }: Pick<NewAccessToken, 'id' | 'token'>) {
  return { id, token }
}

/** The document of `token list`. Never the token itself. */
export function toWireAccessToken(token: AccessToken) {
  return {
    id: token.id,
    name: token.name,
    scopes: token.scopes,
    created_at: isoMicros(token.createdAtMicros),
    expires_at: timeOrNull(token.expiresAtMicros),
    revoked_at: timeOrNull(token.revokedAtMicros),
    last_used_at: timeOrNull(token.lastUsedAtMicros),
  }
}

/** The document of `token revoke`. */
export function toWireRevoked(id: string) {
  return { id, revoked: true }
}
