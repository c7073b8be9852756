import type { IdentityProvider, ProvenIdentity } from '@sotto/core'
import { compactVerify } from 'jose'
import {
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  fetchUserInfo,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
  type Configuration,
  type IDToken,
} from 'openid-client'
import { identityOf, lacks, toleranceSeconds, type Claims } from './claims.ts'
import { Refused } from './failure.ts'
import { algorithms, type Signer, type WithKeys } from './keys.ts'
import { readPending, writePending, type Pending } from './pending.ts'

export async function beginSignIn(
  configuration: Configuration,
  { redirectUri, fresh }: Parameters<IdentityProvider['begin']>[0],
  { scopes, nowMicros }: { readonly scopes: string; readonly nowMicros: number },
): Promise<{ readonly url: string; readonly pending: string }> {
  const [state, nonce, verifier] = [randomState(), randomNonce(), randomPKCECodeVerifier()]
  const url = buildAuthorizationUrl(configuration, {
    redirect_uri: redirectUri,
    scope: scopes,
    state,
    nonce,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...(fresh && { max_age: '0' }),
  })
  const begunAt = Math.floor(nowMicros / 1e6)
  return { url: url.href, pending: writePending({ state, nonce, verifier, isFresh: fresh, begunAt }) }
}

/** What the end of a sign-in is judged by. */
export interface Finishing {
  readonly configuration: Configuration
  readonly signer: Signer
  readonly withKeys: WithKeys
  readonly groupsClaim: string
  readonly nowMicros: number
}

/** @throws what refuses it */
export async function finishSignIn(
  callback: { readonly callbackUrl: string; readonly pending: string },
  { configuration, signer, withKeys, groupsClaim, nowMicros }: Finishing,
): Promise<ProvenIdentity> {
  const pending = readPending(callback.pending)
  const tokens = await exchange(configuration, callback.callbackUrl, pending)
  const { id_token: idToken = '' } = tokens
  await withKeys(signer, (keys) => compactVerify(idToken, keys, { algorithms }))
  const claims = tokens.claims() ?? raise('malformed')
  checkTimes(claims, pending, nowMicros / 1e6)
  const { userinfo_endpoint: endpoint } = configuration.serverMetadata()
  const isAsked = endpoint !== undefined && lacks(claims, groupsClaim)
  const userinfo: Claims = isAsked ? await fetchUserInfo(configuration, tokens.access_token, claims.sub) : {}
  return identityOf(signer.provider.issuer, claims, userinfo, groupsClaim)
}

/** openid-client compares state and `iss` with what is expected, and then the claims of the ID token: issuer, audience, times, nonce. */
async function exchange(
  configuration: Configuration,
  callbackUrl: string,
  { state, nonce, verifier }: Pending,
): ReturnType<typeof authorizationCodeGrant> {
  const url = URL.parse(callbackUrl) ?? raise('malformed')
  const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier }
  try {
    return await authorizationCodeGrant(configuration, url, checks)
  } catch (thrown) {
    // openid-client says in a sentence which parameter it was.
    const { searchParams: query } = url
    if (query.getAll('state').join() !== state) throw new Refused('state')
    if (isOfAnother(query.getAll('iss'), configuration)) throw new Refused('issuer')
    if (!query.has('code') && !query.has('error')) throw new Refused('code')
    throw thrown
  }
}

function isOfAnother(named: readonly string[], configuration: Configuration): boolean {
  const { issuer, authorization_response_iss_parameter_supported: isNeeded } = configuration.serverMetadata()
  return named.length === 0 ? isNeeded === true : named.join() !== issuer
}

/** The token is of this sign-in, and so is the person's presence if that was asked for. @param now seconds since the epoch */
function checkTimes({ iat, auth_time: authTime }: IDToken, { begunAt, isFresh }: Pending, now: number): void {
  const isNow = (seconds: number): boolean =>
    seconds >= begunAt - toleranceSeconds && seconds <= now + toleranceSeconds
  if (!isNow(iat)) throw new Refused('expired')
  if (isFresh && (authTime === undefined || !isNow(authTime))) throw new Refused('not_fresh')
}

function raise(reason: Refused['reason']): never {
  throw new Refused(reason)
}
