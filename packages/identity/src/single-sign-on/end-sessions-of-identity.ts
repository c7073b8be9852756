import type { Digests } from '@sotto/core'
import { aString } from '@sotto/core/building-blocks'
import { ok } from 'neverthrow'
import { useCase } from '../use-case.ts'
import { ssoRefused } from './errors.ts'
import type { ProvenLogout } from './identity-provider.ts'
import { identityIndexes, providerSessionDigest } from './prove-identity.ts'

/** How long a logout token is remembered beyond its end: clocks differ. */
const rememberedMicros = 5 * 60 * 1_000_000

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
export const endSessionsOfIdentity = useCase({
  needs: [
    'identityProvider?.readLogout',
    'identities.endSessions',
    'keyRing.refresh',
    'digests.keyedDigests',
    'digests.opaqueTokenDigest',
  ],
  takes: {
    /** The logout token that the provider has sent. */
    logoutToken: aString,
  },
  async run({ identityProvider, identities, keyRing, digests }, { logoutToken }) {
    if (identityProvider === undefined) return ssoRefused('not_set_up')
    const read = await identityProvider.readLogout(logoutToken)
    if (read.isErr()) return read
    if (read.value.subject === undefined && read.value.sessionId === undefined) return ssoRefused('malformed')
    // An identity under a key that this process has not read yet would not be found.
    keyRing.refresh()
    const ended = await identities.endSessions(logoutOf(digests, read.value))
    if (ended.isErr()) return ended
    return ended.value === undefined ? ssoRefused('used') : ok<EndedSessions>({ sessions: ended.value })
  },
})

function logoutOf(digests: Pick<Digests, 'keyedDigests' | 'opaqueTokenDigest'>, logout: ProvenLogout) {
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
