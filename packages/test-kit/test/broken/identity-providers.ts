import type { IdentityProvider } from '@sotto/identity'
import type { IdentityProviderHarness } from '@sotto/test-kit'
import { okAsync } from 'neverthrow'
import { identityProviderHarness } from '../harnesses.ts'
import type { Broken } from './broken.ts'

export const brokenIdentityProviders: readonly Broken<IdentityProviderHarness>[] = [
  provider('verifies every address', ['identity-provider/proves-a-person'], ({ finish }) => ({
    finish: (callback) => finish(callback).map((proven) => ({ ...proven, emailVerified: true })),
  })),
  provider(
    'looks at no state',
    ['identity-provider/finishes-only-what-this-browser-began'],
    ({ finish }) => ({
      finish(callback) {
        const state = new URLSearchParams(callback.callbackUrl.split('?')[1]).get('state')
        return finish({ ...callback, pending: state ?? '' })
      },
    }),
  ),
  provider('hides when somebody signed in', ['identity-provider/proves-presence'], ({ finish }) => ({
    finish: (callback) => finish(callback).map((proven) => ({ ...proven, authenticatedAtMicros: undefined })),
  })),
  provider(
    'says what is not there',
    ['identity-provider/asks-for-more', 'identity-provider/proves-a-person'],
    ({ finish }) => ({
      finish: (callback) => finish(callback).map((proven) => ({ ...proven, groups: ['staff'] })),
    }),
  ),
  provider('reads every logout token', ['identity-provider/refuses-other-tokens'], ({ issuer }) => ({
    readLogout: () => okAsync({ issuer, id: 'x', expiresAtMicros: Number.MAX_SAFE_INTEGER }),
  })),
]

function provider(
  flaw: string,
  breaks: readonly string[],
  change: (provider: IdentityProvider) => Partial<IdentityProvider>,
): Broken<IdentityProviderHarness> {
  const harness = identityProviderHarness(({ identityProvider }) => ({
    identityProvider: { ...identityProvider, ...change(identityProvider) },
  }))
  return { flaw, breaks, harness }
}
