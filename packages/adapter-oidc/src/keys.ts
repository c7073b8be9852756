import type { Clock } from '@sotto/core'
import { createLocalJWKSet, errors, type JSONWebKeySet, type LocalJWKSet } from 'jose'
import type { CustomFetch, ServerMetadata } from 'openid-client'
import { ProviderFailed } from './failure.ts'

/** Signatures with a private key. A secret that both sides know would let whoever reads this service's settings sign for the provider. */
export const algorithms = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
]

/** How long a key that the provider has withdrawn is used at most. */
const keptMicros = 600_000_000
/** Anybody can send logout tokens: keys that are younger than this are not fetched again for them. */
const youngMicros = 10_000_000

/** Whose keys a signature is verified with. */
export interface Signer {
  readonly fetch: CustomFetch
  readonly provider: ServerMetadata
  /** Whether anybody may have sent the token. One that the provider itself has handed over is always worth fetching the keys for. */
  readonly isFromAnybody: boolean
}

export type WithKeys = <T>(signer: Signer, verify: (keys: LocalJWKSet) => Promise<T>) => Promise<T>

/** Verifies with the provider's keys. Where they do not fit they are fetched once more: the provider may have changed them. */
export function createKeys(clock: Clock): WithKeys {
  let kept: { readonly keys: LocalJWKSet; readonly atMicros: number } | undefined
  const age = (): number | undefined => kept && clock.nowMicros() - kept.atMicros

  async function fetched(signer: Signer): Promise<LocalJWKSet> {
    const keys = await fetchKeys(signer)
    kept = { keys, atMicros: clock.nowMicros() }
    return keys
  }
  return async (signer, verify) => {
    const keys = kept?.keys
    if (keys === undefined || !isWithin(age(), keptMicros)) return verify(await fetched(signer))
    try {
      return await verify(keys)
    } catch (thrown) {
      if (!isOfAnotherKey(thrown) || (signer.isFromAnybody && isWithin(age(), youngMicros))) throw thrown
      return verify(await fetched(signer))
    }
  }
}

async function fetchKeys({ provider, fetch }: Signer): Promise<LocalJWKSet> {
  const headers = { accept: 'application/json, application/jwk-set+json' }
  const answer = await fetch(provider.jwks_uri ?? '', {
    method: 'GET',
    headers,
    body: undefined,
    redirect: 'manual',
  })
  if (answer.status !== 200) throw new ProviderFailed(`status ${answer.status}`)
  try {
    return createLocalJWKSet((await answer.json()) as JSONWebKeySet)
  } catch {
    throw new ProviderFailed('malformed answer')
  }
}

/** Also a signature that does not verify: some providers do not name their keys. */
function isOfAnotherKey(thrown: unknown): boolean {
  return thrown instanceof errors.JWKSNoMatchingKey || thrown instanceof errors.JWSSignatureVerificationFailed
}

/** A clock that was set back tells nothing. */
function isWithin(age: number | undefined, micros: number): boolean {
  return age !== undefined && age >= 0 && age < micros
}
