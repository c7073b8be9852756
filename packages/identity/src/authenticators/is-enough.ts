import type { Result } from 'neverthrow'
import { signInPolicyOf } from '../sessions/sign-in-policy.ts'
import type { DepsOf } from '../use-case.ts'
import { hasUsableAuthenticator } from './authenticator-rules.ts'
import type { Authenticators } from './authenticators.ts'
import { showIdentity, type Identity } from './identity.ts'

/** What {@link isEnough} needs. */
export const isEnoughNeeds = ['textCipher.decryptText', 'identityProvider?.issuer', 'policy.signIn'] as const

/**
 * Whether an owner can still sign in with what is left. An identity that does not decrypt counts for nothing.
 * @param rpId the host whose passkeys sign in here
 */
export function isEnough(
  { textCipher, policy, identityProvider }: DepsOf<(typeof isEnoughNeeds)[number]>,
  { identities, passkeys, ...others }: Authenticators,
  rpId: string | undefined,
): boolean {
  const issuers = identities
    .map((stored) => showIdentity(textCipher, stored))
    .flatMap((shown: Result<Identity, unknown>) => (shown.isOk() ? [shown.value.issuer] : []))
  const { passwords } = signInPolicyOf(policy)
  const rpIds = passkeys.map((passkey) => passkey.rpId)
  return hasUsableAuthenticator(
    { ...others, issuers, rpIds },
    { passwords, issuer: identityProvider?.issuer, rpId },
  )
}
