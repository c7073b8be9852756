import type { IdentityProvider, ProvenIdentity } from '@sotto/identity'
import { compactVerify } from 'jose'
import { ResultAsync } from 'neverthrow'
import {
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
  type Configuration,
  type CustomFetch,
  type IDToken,
} from 'openid-client'
import { detailsOf, identityOf, missingIn, toleranceSeconds } from './claims.ts'
import { refusal, Refused } from './failure.ts'
import { algorithms, type WithKeys } from './keys.ts'
import { readPending, writePending, type Pending } from './pending.ts'
import { askUserinfo } from './userinfo.ts'

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

/** What a sign-in is compared with at its end. */
export interface Finishing {
  readonly configuration: Configuration
  readonly fetch: CustomFetch
  /** Aborts when the sign-in has to be over. */
  readonly signal: AbortSignal
  readonly withKeys: WithKeys
  readonly groupsClaim: string
  readonly nowMicros: number
}

/** @throws what refuses it */
export async function finishSignIn(
  callback: { readonly callbackUrl: string; readonly pending: string },
  finishing: Finishing,
): Promise<ProvenIdentity> {
  const { configuration, signal, withKeys, groupsClaim, nowMicros } = finishing
  const pending = readPending(callback.pending)
  const tokens = await exchange(configuration, callback.callbackUrl, pending)
  const { id_token: idToken = '' } = tokens
  const asking = { signal, isFromAnybody: false }
  await withKeys(asking, (keys) => compactVerify(idToken, keys, { algorithms }))
  const claims = tokens.claims() ?? raise('malformed')
  checkTimes(claims, pending, nowMicros / 1e6)
  const { issuer } = configuration.serverMetadata()
  const proven = identityOf(issuer, claims, groupsClaim)
  return { ...proven, ...moreAbout(claims, tokens.access_token, finishing) }
}

/** How to ask userinfo for what the ID token does not say. */
function moreAbout(
  claims: IDToken,
  accessToken: string,
  { configuration, fetch, signal, withKeys, groupsClaim, nowMicros }: Finishing,
): Pick<ProvenIdentity, 'more'> {
  const { issuer, userinfo_endpoint: endpoint } = configuration.serverMetadata()
  const missing = missingIn(claims, groupsClaim)
  if (endpoint === undefined || (!missing.email && !missing.groups)) return {}
  const { client_id: clientId } = configuration.clientMetadata()
  const asking = { signal, isFromAnybody: false }
  const about = {
    endpoint,
    accessToken,
    subject: claims.sub,
    issuer,
    clientId,
    fetch,
    asking,
    withKeys,
    nowMicros,
  }
  const ask = async () => detailsOf(claims, await askUserinfo(about), groupsClaim)
  return { more: { ...missing, ask: () => ResultAsync.fromPromise(ask(), refusal) } }
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
    // openid-client names the parameter in a sentence only, so each is compared again.
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

/**
 * Checks that no time is later than now, and that the person was present in this sign-in, if that was asked for. The nonce already shows
 * that the token is of this sign-in: Entra ID dates tokens five minutes back, which no standard forbids.
 * @param now seconds since the epoch
 */
function checkTimes({ iat, auth_time: authTime }: IDToken, { begunAt, isFresh }: Pending, now: number): void {
  const latest = now + toleranceSeconds
  if (iat > latest) throw new Refused('expired')
  if (!isFresh) return
  if (authTime === undefined || authTime > latest || authTime < begunAt - toleranceSeconds)
    throw new Refused('not_fresh')
}

function raise(reason: Refused['reason']): never {
  throw new Refused(reason)
}
