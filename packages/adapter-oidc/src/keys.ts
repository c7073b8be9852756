import type { Clock } from '@sotto/core'
import { createLocalJWKSet, errors, type JSONWebKeySet, type LocalJWKSet } from 'jose'
import type { CustomFetch } from 'openid-client'
import { ProviderFailed } from './failure.ts'
import { createShared } from './shared.ts'

/**
 * The algorithms that sign with a private key. A secret that both sides know would let whoever reads this service's settings sign for the
 * provider.
 */
export const algorithms = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
]

/** How long a key that the provider has withdrawn is used at most. */
const keptMicros = 600_000_000
/**
 * How long the keys are not fetched again for a logout token after the last time, whether that succeeded or not: anybody can send such
 * tokens.
 */
const pauseMicros = 10_000_000

/** The caller that wants a signature verified. */
export interface Asking {
  readonly signal: AbortSignal
  /** Whether anybody may have sent the token. The keys are always fetched for one that the provider itself has handed over. */
  readonly isFromAnybody: boolean
}

export type WithKeys = <T>(asking: Asking, verify: (keys: LocalJWKSet) => Promise<T>) => Promise<T>

/** Verifies with the provider's keys. Where they do not fit they are fetched once more: the provider may have changed them. */
export function createKeys(clock: Clock, fetchKeys: () => Promise<LocalJWKSet>): WithKeys {
  let kept: { readonly keys: LocalJWKSet; readonly atMicros: number } | undefined
  let last: { readonly atMicros: number; readonly thrown?: Error } | undefined

  const fetched = createShared(async (): Promise<LocalJWKSet> => {
    try {
      const keys = await fetchKeys()
      kept = { keys, atMicros: clock.nowMicros() }
      last = kept
      return keys
    } catch (thrown) {
      last = { thrown: thrown as Error, atMicros: clock.nowMicros() }
      throw thrown
    }
  })
  /** Whether it was less than this long ago. A clock that was set back tells nothing: then it was not. */
  const isWithin = (since: { readonly atMicros: number } | undefined, micros: number): boolean => {
    const age = clock.nowMicros() - (since?.atMicros ?? Infinity)
    return age >= 0 && age < micros
  }
  return async ({ signal, isFromAnybody }, verify) => {
    const isTooSoon = (): boolean => isFromAnybody && isWithin(last, pauseMicros)
    if (kept === undefined || !isWithin(kept, keptMicros)) {
      if (isTooSoon() && last?.thrown !== undefined) throw last.thrown
      return verify(await fetched(signal))
    }
    try {
      return await verify(kept.keys)
    } catch (thrown) {
      if (!isOfAnotherKey(thrown)) throw thrown
      if (isTooSoon()) throw last?.thrown ?? thrown
      return verify(await fetched(signal))
    }
  }
}

/** The keys as the provider publishes them. */
export async function fetchKeys(url: string, fetch: CustomFetch): Promise<LocalJWKSet> {
  const headers = { accept: 'application/json, application/jwk-set+json' }
  const answer = await fetch(url, { method: 'GET', headers, body: undefined, redirect: 'manual' })
  if (answer.status !== 200) throw new ProviderFailed(`status ${answer.status}`)
  try {
    return createLocalJWKSet((await answer.json()) as JSONWebKeySet)
  } catch {
    throw new ProviderFailed('malformed answer')
  }
}

/** Whether another key may fit: also when a signature does not verify, because some providers do not name their keys. */
function isOfAnotherKey(thrown: unknown): boolean {
  return thrown instanceof errors.JWKSNoMatchingKey || thrown instanceof errors.JWSSignatureVerificationFailed
}
