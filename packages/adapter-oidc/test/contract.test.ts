import {
  createManualClock,
  identityProviderContract,
  runContract,
  type IdentityProviderHarness,
} from '@sotto/test-kit'
import t from 'tap'
import { createIdentityProvider } from '../src/index.ts'
import { clientId, clientSecret, startLyingProvider } from './support/lying-provider.ts'
import { startMicros } from './support/signing-in.ts'

const harness: IdentityProviderHarness = {
  supports: [],
  async open() {
    const { nowMicros } = createManualClock(startMicros)
    const provider = await startLyingProvider(nowMicros)
    const { issuer } = provider
    return {
      identityProvider: createIdentityProvider({ issuer, clientId, clientSecret, clock: { nowMicros } }),
      async signIn(url, { subject, sessionId, email, emailVerified, groups, authenticatedAtMicros }) {
        const said = { sub: subject, sid: sessionId, email, email_verified: emailVerified, groups }
        const auth_time = authenticatedAtMicros && authenticatedAtMicros / 1e6
        provider.lies = {
          claims: (honest) => ({ ...honest, ...said, auth_time }),
          userinfo: { sub: subject },
        }
        return provider.signIn(url)
      },
      async logoutToken({ id, subject, sessionId }) {
        return provider.logoutToken((honest) => ({ ...honest, jti: id, sub: subject, sid: sessionId }))
      },
      setReachable: (isReachable) => provider.setReachable(isReachable),
      nowMicros,
      dispose: () => provider.setReachable(false),
    }
  },
}

runContract(t.test, identityProviderContract, harness)
