import type { ProvenLogout } from '@sotto/core'
import { jwtVerify, type LocalJWKSet } from 'jose'
import { nameOf, toleranceSeconds } from './claims.ts'
import { Refused } from './failure.ts'
import { algorithms } from './keys.ts'

const event = 'http://schemas.openid.net/event/backchannel-logout'
/** A provider sends a token at once, and perhaps again a little later. Older ones are refused, so that few have to be remembered. */
const ageMaxSeconds = 600

export interface LogoutCheck {
  readonly issuer: string
  readonly clientId: string
  readonly nowMicros: number
}

/** Verifies a logout token (OpenID Connect Back-Channel Logout 1.0, section 2.6). @throws what refuses it */
export async function verifyLogout(
  token: string,
  keys: LocalJWKSet,
  check: LogoutCheck,
): Promise<ProvenLogout> {
  const { payload } = await jwtVerify(token, keys, {
    algorithms,
    typ: 'logout+jwt',
    issuer: check.issuer,
    audience: check.clientId,
    requiredClaims: ['exp', 'jti'],
    maxTokenAge: ageMaxSeconds,
    clockTolerance: toleranceSeconds,
    currentDate: new Date(check.nowMicros / 1_000),
  })
  if ('nonce' in payload) throw new Refused('nonce')
  const { events } = payload as { readonly events?: unknown }
  if (!isObject(events) || !isObject(events[event])) throw new Refused('malformed')
  const [subject, sessionId, id] = [nameOf(payload.sub), nameOf(payload['sid']), nameOf(payload.jti)]
  if (id === undefined || (subject === undefined && sessionId === undefined)) throw new Refused('malformed')
  return {
    issuer: check.issuer,
    subject,
    sessionId,
    id,
    expiresAtMicros: endOf(payload.exp ?? 0, payload.iat ?? 0),
  }
}

/** From then on the token is refused for its age: in microseconds. */
function endOf(exp: number, iat: number): number {
  return Math.ceil((Math.min(exp, iat + ageMaxSeconds) + toleranceSeconds + 1) * 1e6)
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
