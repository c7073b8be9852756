import type { ProvenLogout } from '@sotto/identity'
import { base64url, decodeProtectedHeader, UnsecuredJWT } from 'jose'
import { nameOf, toleranceSeconds } from './claims.ts'
import { Refused } from './failure.ts'
import { algorithms } from './keys.ts'

const event = 'http://schemas.openid.net/event/backchannel-logout'
/** A time in the year 2242. Microseconds are whole numbers until then. */
const latestSeconds = 2 ** 33

export interface LogoutCheck {
  readonly issuer: string
  readonly clientId: string
  readonly nowMicros: number
}

/**
 * Checks everything about a logout token but its signature (OpenID Connect Back-Channel Logout 1.0, section 2.6). Anybody can send one, and this
 * costs no request to the provider. Its age has no bound but `exp`, as in the standard: some providers date their tokens back.
 * @returns what the token says, which is true only if the signature verifies
 * @throws what refuses it
 */
export function readLogoutToken(token: string, check: LogoutCheck): ProvenLogout {
  const payload = claimsOf(token, check)
  const { iat, exp, events } = payload as { iat: number; exp: number; events?: unknown }
  if (iat > check.nowMicros / 1e6 + toleranceSeconds) throw new Refused('expired')
  if (exp > latestSeconds) throw new Refused('malformed')
  if ('nonce' in payload) throw new Refused('nonce')
  if (!isObject(events) || !isObject(events[event])) throw new Refused('malformed')
  const [subject, sessionId, id] = [nameOf(payload.sub), nameOf(payload['sid']), nameOf(payload.jti)]
  if (id === undefined || (subject === undefined && sessionId === undefined)) throw new Refused('malformed')
  // The time is the end of the second in which the last tolerated one ends.
  const expiresAtMicros = Math.ceil((exp + toleranceSeconds + 1) * 1e6)
  return { issuer: check.issuer, subject, sessionId, id, expiresAtMicros }
}

/**
 * jose checks the claims of a signed token only together with its signature: this function has it read them as those of a token without
 * one.
 */
function claimsOf(token: string, { issuer, clientId, nowMicros }: LogoutCheck) {
  const [, , payload, signature] = /^([\w-]+)\.([\w-]+)\.([\w-]*)$/.exec(token) ?? []
  if (payload === undefined) throw new Refused('malformed')
  const { alg = 'none', typ, crit } = decodeProtectedHeader(token)
  if (!algorithms.includes(alg) || signature === '' || crit !== undefined) throw new Refused('signature')
  const header = base64url.encode(JSON.stringify({ alg: 'none', typ }))
  const options = {
    typ: 'logout+jwt',
    issuer,
    audience: clientId,
    requiredClaims: ['exp', 'iat', 'jti'],
    clockTolerance: toleranceSeconds,
    currentDate: new Date(nowMicros / 1_000),
  }
  return UnsecuredJWT.decode(`${header}.${payload}.`, options).payload
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
