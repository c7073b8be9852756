import type { StorageError, Digests } from '@sotto/core'
import type { KeyRing } from '@sotto/core/building-blocks'
import { err, ok, ResultAsync, type Result } from 'neverthrow'
import type { IdentityProviderUnreachable, SsoRefused } from './errors.ts'
import type { IdentityProvider, ProvenLogout } from './identity-provider.ts'
import type { IdentityStore } from './identity-store.ts'
import { identityIndexes, providerSessionDigest } from './identities.ts'

/** How long a logout token is remembered beyond its end: clocks differ. */
const rememberedMicros = 5 * 60 * 1_000_000

export interface EndSessionsOfIdentityDeps {
  readonly identityProvider?: Pick<IdentityProvider, 'readLogout'> | undefined
  readonly identities: Pick<IdentityStore, 'endSessions'>
  readonly keyRing: Pick<KeyRing, 'refresh'>
  readonly digests: Pick<Digests, 'keyedDigests' | 'opaqueTokenDigest'>
}
export interface EndSessionsOfIdentityInput {
  /** The logout token that the provider has sent. */
  readonly logoutToken: string
}
export type EndSessionsOfIdentityError = IdentityProviderUnreachable | SsoRefused | StorageError

/** What a logout at the identity provider ended. */
export interface EndedSessions {
  /** How many sessions were ended; those that were begun with a password stay. */
  readonly sessions: number
}

/**
 * Ends the sessions that a logout token names (OpenID Connect Back-Channel Logout 1.0): the one that was begun with the session at the provider, or
 * without one all that were begun with the identity. A token counts once.
 * @errors `sso_refused` for a token that proves nothing, with the reason `used` for one that came before; `identity_provider_unreachable`
 */
export function endSessionsOfIdentity(
  deps: EndSessionsOfIdentityDeps,
  input: EndSessionsOfIdentityInput,
): ResultAsync<EndedSessions, EndSessionsOfIdentityError> {
  return new ResultAsync(end(deps, input))
}

async function end(
  deps: EndSessionsOfIdentityDeps,
  { logoutToken }: EndSessionsOfIdentityInput,
): Promise<Result<EndedSessions, EndSessionsOfIdentityError>> {
  const { identityProvider, identities, keyRing } = deps
  if (identityProvider === undefined) return err({ code: 'sso_refused', reason: 'not_set_up' })
  const read = await identityProvider.readLogout(logoutToken)
  if (read.isErr()) return err(read.error)
  if (read.value.subject === undefined && read.value.sessionId === undefined)
    return err({ code: 'sso_refused', reason: 'malformed' })
  // An identity under a key that this process has not read yet would not be found.
  keyRing.refresh()
  const ended = await identities.endSessions(logoutOf(deps, read.value))
  if (ended.isErr()) return err(ended.error)
  return ended.value === undefined
    ? err({ code: 'sso_refused', reason: 'used' })
    : ok({ sessions: ended.value })
}

function logoutOf({ digests }: EndSessionsOfIdentityDeps, logout: ProvenLogout) {
  const { issuer, subject, id, expiresAtMicros } = logout
  return {
    identity: subject === undefined ? undefined : identityIndexes(digests, { issuer, subject }),
    providerSession: providerSessionDigest(digests, logout),
    token: {
      digest: digests.opaqueTokenDigest('logout-token', `${issuer} ${id}`),
      eraseAtMicros: expiresAtMicros + rememberedMicros,
    },
  }
}
