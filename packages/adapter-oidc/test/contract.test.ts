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
      async signIn(
        url,
        { subject, sessionId, email, emailVerified, groups, authenticatedAtMicros },
        isTerse,
      ) {
        const who = {
          sub: subject,
          sid: sessionId,
          auth_time: authenticatedAtMicros && authenticatedAtMicros / 1e6,
        }
        const details = { email, email_verified: emailVerified, groups }
        const nothing = { email: undefined, email_verified: undefined, groups: undefined }
        provider.lies = {
          claims: (honest) => ({ ...honest, ...who, ...(isTerse === true ? nothing : details) }),
          userinfo: { sub: subject, ...(isTerse === true && details) },
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
