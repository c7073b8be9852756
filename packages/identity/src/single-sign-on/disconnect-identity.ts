import { uuidToFind, type Uuid, type StorageError } from '@sotto/core'
import type { ResultAsync } from 'neverthrow'
import { isEnough, type IsEnoughDeps } from '../authenticators/account-authenticators.ts'
import type { Authenticators } from '../authenticators/authenticators.ts'
import type { LastAuthenticator } from '../authenticators/errors.ts'
import type { IdentityNotFound } from './errors.ts'
import type { IdentityStore } from './identity-store.ts'

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
 * @errors `identity_not_found`, the same for an unknown, malformed or another account's id; `last_way_in` when its owner could not sign in
 * any more
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
