import type { IdentityProvider, ProvenIdentity } from '@sotto/identity'
import { createManualClock, type ManualClock } from '@sotto/test-kit'
import { okAsync, type Result } from 'neverthrow'
import type { Test } from 'tap'
import { createIdentityProvider, type IdentityProviderOptions } from '../../src/index.ts'
import {
  clientId,
  clientSecret,
  startLyingProvider,
  type Lies,
  type LyingProvider,
} from './lying-provider.ts'

export const redirectUri = 'https://sotto.example/login/sso/callback'
/** Noon of a day in 2030: nothing here may ask the machine what time it is. */
export const startMicros = Date.UTC(2030, 0, 1, 12) * 1_000

export interface Opened {
  readonly provider: LyingProvider
  readonly identities: IdentityProvider
  readonly clock: ManualClock
  /** Signs in from the beginning to the end, and asks for what the ID token does not say. */
  signIn(between?: Between): Promise<Result<ProvenIdentity, Refusal>>
}

type Refusal = Awaited<ReturnType<IdentityProvider['finish']>> extends Result<unknown, infer E> ? E : never

export interface Between {
  readonly fresh?: boolean
  /** What the person does between beginning and end. */
  readonly wait?: () => void
  readonly callbackUrl?: (honest: string) => string
  readonly pending?: (honest: string) => string
}

/** A provider that lies as it is told, and the adapter that asks it. */
export async function open(
  t: Test,
  lies: Lies = {},
  options: Partial<IdentityProviderOptions> = {},
): Promise<Opened> {
  const clock = createManualClock(startMicros)
  const provider = await startLyingProvider(clock.nowMicros, { isTls: options.ca !== undefined })
  t.teardown(() => provider.setReachable(false))
  provider.lies = lies
  const identities = createIdentityProvider({
    issuer: provider.issuer,
    clientId,
    clientSecret,
    clock,
    ...options,
  })
  return {
    provider,
    identities,
    clock,
    async signIn({ fresh = false, wait, callbackUrl = same, pending = same } = {}) {
      const begun = await identities.begin({ redirectUri, fresh })
      if (begun.isErr()) return begun.mapErr((error) => error as Refusal).map(() => undefined as never)
      const honest = provider.signIn(begun.value.url)
      wait?.()
      const callback = { callbackUrl: callbackUrl(honest), pending: pending(begun.value.pending) }
      return identities.finish(callback).andThen(({ more, ...proven }) => {
        if (more === undefined) return okAsync(proven)
        return more.ask().map((details) => ({ ...proven, ...details }))
      })
    },
  }
}

function same(text: string): string {
  return text
}
