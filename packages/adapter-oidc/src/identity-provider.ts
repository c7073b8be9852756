import type { IdentityProvider, ProvenLogout } from '@sotto/identity'
import type { Clock } from '@sotto/core'
import { compactVerify } from 'jose'
import { errAsync, ResultAsync } from 'neverthrow'
import { configurationOf } from './client.ts'
import { createDiscovery } from './discovery.ts'
import { refusal, unreachable } from './failure.ts'
import { algorithms, createKeys, fetchKeys } from './keys.ts'
import { readLogoutToken } from './logout-token.ts'
import { issuerError } from './provider-url.ts'
import { createFetch } from './request.ts'
import { beginSignIn, finishSignIn } from './sign-in.ts'

/** What `createIdentityProvider` takes: the provider, how it knows this service, and what is asked for. */
export interface IdentityProviderOptions {
  /** The issuer exactly as the provider's metadata spell it: `https://login.example.org/realms/example`. */
  readonly issuer: string
  /** The id by which the provider knows this installation. */
  readonly clientId: string
  /** Confidential. Without one this service is a public client, which PKCE protects. */
  readonly clientSecret?: string | undefined
  /** The scopes, separated by spaces; `openid email profile` by default. */
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

/** The longest logout token that is read. One of usual length has less than a thousand characters. */
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
  const fetchUntil = createFetch(issuer, ca)
  /** The limit of what several callers ask for together: the first of them would wait no longer. */
  const sharedSignal = (): AbortSignal => AbortSignal.timeout(beginTimeoutMillis)
  const discover = createDiscovery(issuer, clock, () => fetchUntil(sharedSignal()))
  const withKeys = createKeys(clock, async () => {
    const signal = sharedSignal()
    const { jwks_uri: url = '' } = await discover(signal)
    return fetchKeys(url, fetchUntil(signal))
  })
  const client = { clientId, clientSecret }

  async function ask(signal: AbortSignal) {
    const provider = await discover(signal)
    const [fetch, nowMicros] = [fetchUntil(signal), clock.nowMicros()]
    return { fetch, signal, nowMicros, configuration: configurationOf(client, provider, fetch, nowMicros) }
  }

  async function readLogout(token: string): Promise<ProvenLogout> {
    const logout = readLogoutToken(token, { issuer, clientId, nowMicros: clock.nowMicros() })
    const asking = { signal: sharedSignal(), isFromAnybody: true }
    await withKeys(asking, (keys) => compactVerify(token, keys, { algorithms }))
    return logout
  }

  return {
    issuer,
    begin(beginning) {
      const begun = ask(sharedSignal()).then(({ configuration, nowMicros }) =>
        beginSignIn(configuration, beginning, { scopes, nowMicros }),
      )
      return ResultAsync.fromPromise(begun, unreachable)
    },
    finish(callback) {
      const finished = ask(AbortSignal.timeout(finishTimeoutMillis)).then((asked) =>
        finishSignIn(callback, { ...asked, withKeys, groupsClaim }),
      )
      return ResultAsync.fromPromise(finished, refusal)
    },
    readLogout(token) {
      if (token.length > logoutTokenMaxLength) return errAsync({ code: 'sso_refused', reason: 'too_large' })
      return ResultAsync.fromPromise(readLogout(token), refusal)
    },
  }
}
