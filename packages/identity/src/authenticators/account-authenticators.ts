import type { Uuid, StorageError, TextCipher, Page } from '@sotto/core'
import { type KeyUnknown, showRows } from '@sotto/core/building-blocks'
import type { Result, ResultAsync } from 'neverthrow'
import { type IdentityPolicy, signInPolicyOf } from '../sessions/sign-in-policy.ts'
import { hasUsableAuthenticator } from './authenticator-rules.ts'
import type { AuthenticatorReader, Authenticators } from './authenticators.ts'
import { showIdentity, type Identity } from './identity.ts'

export interface ShowAuthenticatorsDeps {
  readonly passwords: AuthenticatorReader
  readonly textCipher: Pick<TextCipher, 'decryptText'>
}
export interface ShowAuthenticatorsInput {
  readonly accountId: Uuid
}
export type ShowAuthenticatorsError = KeyUnknown | StorageError

/** The authenticators of an account's owner. */
export interface ShownAuthenticators {
  readonly hasPassword: boolean
  /** The identities by creation and id. */
  readonly identities: Page<Identity>
  /** How many passkeys there are, of whatever host. */
  readonly passkeys: number
  /** Whether the account is held: its owner signs in with an identity only. */
  readonly isHeld: boolean
}

/**
 * The authenticators of an account's owner: for the page of the settings, and to ask for one that there is when a re-authentication is
 * needed.
 */
export function showAuthenticators(
  { passwords, textCipher }: ShowAuthenticatorsDeps,
  { accountId }: ShowAuthenticatorsInput,
): ResultAsync<ShownAuthenticators, ShowAuthenticatorsError> {
  return passwords.authenticators(accountId).andThen(({ identities: stored, passkeys, ...others }) =>
    showRows(stored, (each) => showIdentity(textCipher, each)).map((page) => ({
      ...others,
      passkeys: passkeys.length,
      identities: page,
    })),
  )
}

/** What decides whether an owner can still sign in. */
export type IsEnoughDeps = {
  readonly textCipher: Pick<TextCipher, 'decryptText'>
  /** The identity provider that is set up. */
  readonly identityProvider?: { readonly issuer: string } | undefined
} & {
  readonly policy: IdentityPolicy
}

/**
 * Whether an owner can still sign in with what is left. An identity that does not decrypt counts for nothing.
 * @param rpId the host whose passkeys sign in here
 */
export function isEnough(
  { textCipher, policy, identityProvider }: IsEnoughDeps,
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
