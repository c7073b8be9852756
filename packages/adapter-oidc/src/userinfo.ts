import { jwtVerify } from 'jose'
import type { CustomFetch } from 'openid-client'
import { nameOf, toleranceSeconds, type Claims } from './claims.ts'
import { ProviderFailed, Refused } from './failure.ts'
import { algorithms, type Asking, type WithKeys } from './keys.ts'
import { isJwt, jwtType } from './request.ts'

/** What userinfo is asked with, and what its answer is compared with. */
export interface UserinfoAsking {
  readonly endpoint: string
  readonly accessToken: string
  /** The subject of the ID token. */
  readonly subject: string
  readonly issuer: string
  readonly clientId: string
  readonly fetch: CustomFetch
  readonly asking: Asking
  readonly withKeys: WithKeys
  readonly nowMicros: number
}

/** Asks userinfo (OpenID Connect Core 1.0, section 5.3). It answers with JSON, or with a signed token. @throws what refuses the answer */
export async function askUserinfo(about: UserinfoAsking): Promise<Claims> {
  const { endpoint, accessToken, subject, fetch } = about
  const headers = { accept: `application/json, ${jwtType}`, authorization: `Bearer ${accessToken}` }
  const answer = await fetch(endpoint, { method: 'GET', headers, body: undefined, redirect: 'manual' })
  if (answer.status !== 200) throw new ProviderFailed(`status ${answer.status}`)
  const isSigned = isJwt(answer.headers.get('content-type') ?? '')
  const claims = isSigned ? await verified(await answer.text(), about) : ((await answer.json()) as Claims)
  const named = nameOf(claims['sub'])
  if (named === undefined) throw new Refused('malformed')
  if (named !== subject) throw new Refused('subject')
  return claims
}

/** Issuer and audience should be in the token (section 5.3.2). Where they are, they have to be the right ones. */
async function verified(
  token: string,
  { issuer, clientId, asking, withKeys, nowMicros }: UserinfoAsking,
): Promise<Claims> {
  const currentDate = new Date(nowMicros / 1_000)
  const options = { algorithms, clockTolerance: toleranceSeconds, currentDate }
  const { payload } = await withKeys(asking, (keys) => jwtVerify(token.trim(), keys, options))
  if (payload.iss !== undefined && payload.iss !== issuer) throw new Refused('issuer')
  if (payload.aud !== undefined && ![payload.aud].flat().includes(clientId)) throw new Refused('audience')
  return payload
}
