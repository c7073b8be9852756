import { uuidToFind, type Uuid, type StorageError, type TextCipher, type Page } from '@sotto/core'
import { type KeyUnknown, showRows } from '@sotto/core/building-blocks'
import { type IdentityPolicy, signInPolicyOf } from '../sessions/sign-in-policy.ts'
import type { Result, ResultAsync } from 'neverthrow'
import type { Identity } from './identity.ts'
import type { IdentityNotFound } from '../single-sign-on/errors.ts'
import type { LastAuthenticator } from '../passwords/errors.ts'
import type { IdentityStore } from '../single-sign-on/identity-store.ts'
import type { Authenticators } from './authenticators.ts'
import type { IdentityProvider } from '../single-sign-on/identity-provider.ts'
import { hasUsableAuthenticator } from './authenticator-rules.ts'
import { showIdentity } from '../single-sign-on/identities.ts'

export interface ShowAuthenticatorsDeps {
  readonly identities: Pick<IdentityStore, 'authenticators'>
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
  { identities, textCipher }: ShowAuthenticatorsDeps,
  { accountId }: ShowAuthenticatorsInput,
): ResultAsync<ShownAuthenticators, ShowAuthenticatorsError> {
  return identities.authenticators(accountId).andThen(({ identities: stored, passkeys, ...others }) =>
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
  readonly identityProvider?: Pick<IdentityProvider, 'issuer'> | undefined
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

export type DisconnectIdentityDeps = IsEnoughDeps & { readonly identities: Pick<IdentityStore, 'erase'> }
export interface DisconnectIdentityInput {
  readonly accountId: Uuid
  readonly id: string
  /** The session that asks. It stays even if it was begun with the identity. */
  readonly sessionId: Uuid
  /** The relying party id of the page that asks: a passkey of another host does not count there. Without it no passkey counts. */
  readonly rpId?: string | undefined
}
export type DisconnectIdentityError = IdentityNotFound | LastAuthenticator | StorageError

/**
 * Takes an identity from its account. The caller makes sure that its owner proved just now who they are; see `ensureReauthentication`.
 * @errors `identity_not_found`, the same for an unknown, malformed or another account's id; `last_way_in` when its owner could not sign in any
 * more
 */
export function disconnectIdentity(
  deps: DisconnectIdentityDeps,
  { accountId, id, sessionId, rpId }: DisconnectIdentityInput,
): ResultAsync<void, DisconnectIdentityError> {
  const mayErase = (left: Authenticators): boolean => isEnough(deps, left, rpId)
  return deps.identities.erase(accountId, uuidToFind(id), { mayErase, keepSessionId: sessionId })
}

export interface RemoveIdentityDeps {
  readonly identities: Pick<IdentityStore, 'erase'>
}
export interface RemoveIdentityInput {
  readonly accountId: Uuid
  readonly id: string
}
export type RemoveIdentityError = IdentityNotFound | LastAuthenticator | StorageError

/**
 * Takes an identity from its account for the operator, who may take the last authenticator: a one-time link lets the owner in again. All
 * sessions that were begun with it end.
 * @errors `identity_not_found`, as in `disconnectIdentity`
 */
export function removeIdentity(
  { identities }: RemoveIdentityDeps,
  { accountId, id }: RemoveIdentityInput,
): ResultAsync<void, RemoveIdentityError> {
  return identities.erase(accountId, uuidToFind(id), { mayErase: () => true })
}
