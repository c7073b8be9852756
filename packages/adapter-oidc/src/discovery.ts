import type { Clock } from '@sotto/core'
import { discovery, None, customFetch, type CustomFetch, type ServerMetadata } from 'openid-client'
import { ProviderFailed } from './failure.ts'
import { insecure, isSafe } from './provider-url.ts'
import { createShared } from './shared.ts'

/** How long the provider's metadata are used before they are asked for again. */
const keptMicros = 3_600_000_000

export type Discover = (signal: AbortSignal) => Promise<ServerMetadata>

/** Finds out where the provider's endpoints are, and keeps that for an hour. @param fetch makes the `fetch` of one request for the metadata */
export function createDiscovery(issuer: string, clock: Clock, fetch: () => CustomFetch): Discover {
  let kept: { readonly metadata: ServerMetadata; readonly atMicros: number } | undefined

  const ask = createShared(async (): Promise<ServerMetadata> => {
    const options = { execute: insecure(issuer), [customFetch]: fetch() }
    const found = await discovery(metadataUrl(issuer), 'unused', undefined, None(), options)
    const metadata = checked(found.serverMetadata(), issuer)
    kept = { metadata, atMicros: clock.nowMicros() }
    return metadata
  })
  return async (signal) => {
    const age = clock.nowMicros() - (kept?.atMicros ?? 0)
    return kept !== undefined && age >= 0 && age < keptMicros ? kept.metadata : ask(signal)
  }
}

/** The address of the metadata. Given a whole address, openid-client does not compare the issuer: {@link checked} does. */
function metadataUrl(issuer: string): URL {
  return new URL(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`)
}

/**
 * The metadata that are used, once they are checked. openid-client would let one issuer of Entra ID stand for every tenant, so that a
 * stranger's tenant could name the groups of somebody: the issuer has to be the one of the settings, character by character.
 */
function checked(found: Readonly<ServerMetadata>, issuer: string): ServerMetadata {
  if (found.issuer !== issuer) throw new ProviderFailed('the provider names another issuer')
  const used = Object.fromEntries(usedMetadata.map((name) => [name, found[name]]))
  for (const name of endpoints) {
    const endpoint = used[name]
    if (endpoint === undefined && name === 'userinfo_endpoint') continue
    const url = typeof endpoint === 'string' ? URL.parse(endpoint) : null
    if (url === null) throw new ProviderFailed('an endpoint is missing')
    if (!isSafe(url, issuer)) throw new ProviderFailed('an endpoint without https')
  }
  return { issuer, ...used }
}

const endpoints = ['authorization_endpoint', 'token_endpoint', 'jwks_uri', 'userinfo_endpoint']
const usedMetadata = [
  ...endpoints,
  'id_token_signing_alg_values_supported',
  'token_endpoint_auth_methods_supported',
  'authorization_response_iss_parameter_supported',
]
