import type { Clock, IdentityProvider } from '@sotto/core'
import { errAsync, ResultAsync } from 'neverthrow'
import type { CustomFetch } from 'openid-client'
import { configurationOf } from './client.ts'
import { createDiscovery } from './discovery.ts'
import { refusal, unreachable } from './failure.ts'
import { createKeys } from './keys.ts'
import { verifyLogout } from './logout-token.ts'
import { issuerError } from './provider-url.ts'
import { createFetch } from './request.ts'
import { beginSignIn, finishSignIn } from './sign-in.ts'

/** What `createIdentityProvider` takes: the provider, how it knows this service, and what is asked for. */
export interface IdentityProviderOptions {
  /** As the provider's own metadata spell it, character by character: `https://login.example.org/realms/example`. */
  readonly issuer: string
  /** By which the provider knows this installation. */
  readonly clientId: string
  /** Confidential. Without one this service is a public client, which PKCE protects. */
  readonly clientSecret?: string | undefined
  /** Separated by spaces; `openid email profile` by default. */
  readonly scopes?: string | undefined
  /** The claim that lists a person's groups; `groups` by default. */
  readonly groupsClaim?: string | undefined
  /** Certificates in PEM: the only authorities that are trusted to name the provider. By default those of Node.js are. */
  readonly ca?: string | undefined
  /** Tells whether tokens are current. */
  readonly clock: Clock
  /** How long a beginning may take, whatever the provider does; 8,000 by default. */
  readonly beginTimeoutMillis?: number | undefined
  /** How long the rest of a sign-in may take; 13,000 by default. */
  readonly finishTimeoutMillis?: number | undefined
}

/** A logout token of usual length has less than a thousand characters. */
const logoutTokenMaxLength = 16 * 1024

/**
 * Asks one provider of OpenID Connect. It is not asked before the first sign-in, and what it says about itself is kept for an hour.
 *
 * @throws TypeError when `issuer` is not what it should be; the message does not repeat it
 */
export function createIdentityProvider({
  issuer,
  clientId,
  clientSecret,
  scopes = 'openid email profile',
  groupsClaim = 'groups',
  ca,
  clock,
  beginTimeoutMillis = 8_000,
  finishTimeoutMillis = 13_000,
}: IdentityProviderOptions): IdentityProvider {
  const fault = issuerError(issuer)
  if (fault !== undefined) throw new TypeError(`issuer ${fault}`)
  const [discover, withKeys, fetchUntil] = [
    createDiscovery(issuer, clock),
    createKeys(clock),
    createFetch(ca),
  ]
  const client = { clientId, clientSecret }

  async function ask(timeoutMillis: number) {
    const fetch: CustomFetch = fetchUntil(AbortSignal.timeout(timeoutMillis))
    const provider = await discover(fetch)
    const nowMicros = clock.nowMicros()
    return { fetch, provider, nowMicros, configuration: configurationOf(client, provider, fetch, nowMicros) }
  }

  return {
    issuer,
    begin(beginning) {
      const begun = ask(beginTimeoutMillis).then(({ configuration, nowMicros }) =>
        beginSignIn(configuration, beginning, { scopes, nowMicros }),
      )
      return ResultAsync.fromPromise(begun, unreachable)
    },
    finish(callback) {
      const finished = ask(finishTimeoutMillis).then(({ configuration, provider, fetch, nowMicros }) => {
        const signer = { provider, fetch, isFromAnybody: false }
        return finishSignIn(callback, { configuration, signer, withKeys, groupsClaim, nowMicros })
      })
      return ResultAsync.fromPromise(finished, refusal)
    },
    readLogout(token) {
      if (token.length > logoutTokenMaxLength) return errAsync({ code: 'sso_refused', reason: 'too_large' })
      const read = ask(beginTimeoutMillis).then(({ provider, fetch, nowMicros }) => {
        const signer = { provider, fetch, isFromAnybody: true }
        return withKeys(signer, (keys) => verifyLogout(token, keys, { issuer, clientId, nowMicros }))
      })
      return ResultAsync.fromPromise(read, refusal)
    },
  }
}
