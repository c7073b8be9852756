import type { PasswordHasher, Ports } from '@sotto/core'
import type { PasskeyVerifier } from '../passkeys/passkey-verifier.ts'
import type { IdentityProvider } from '../single-sign-on/identity-provider.ts'
import type { IdentityStorage } from './storage.ts'

/** What the use-cases of identity need from outside besides the ports of the core. */
export interface IdentityPorts extends IdentityStorage {
  /** Hashes the passwords of accounts. */
  readonly passwordHasher: PasswordHasher
  readonly passkeyVerifier: PasskeyVerifier
  /** The identity provider; absent where nobody signs in with single sign-on. */
  readonly identityProvider?: IdentityProvider | undefined
}

/** The ports of the core and of identity. */
export interface FullPorts extends Ports, IdentityPorts {}
