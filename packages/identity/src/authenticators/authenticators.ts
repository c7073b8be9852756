import type { StorageError, Uuid } from '@sotto/core'
import type { ResultAsync } from 'neverthrow'
import type { StoredIdentity } from './identity.ts'

/** The authenticators of an account's owner. */
export interface Authenticators {
  /** Whether the account is held; see `Account.isHeld`. */
  readonly isHeld: boolean
  /** Whether the account has a password. */
  readonly hasPassword: boolean
  readonly identities: readonly StoredIdentity[]
  /** The ids of the passkeys, and the hosts that they are bound to. */
  readonly passkeys: readonly { readonly id: Uuid; readonly rpId: string }[]
}

/** Reads the authenticators of owners. No method throws or rejects. */
export interface AuthenticatorReader {
  /** The authenticators of an owner. */
  authenticators(accountId: Uuid): ResultAsync<Authenticators, StorageError>
}

/** How an authenticator is removed. */
export interface RemoveAuthenticator {
  /**
   * Decides by what is left whether the authenticator may be removed. Pure and synchronous; it may be called again when the transaction has
   * to be tried again.
   */
  readonly mayErase: (left: Authenticators) => boolean
  /** The one session that stays of those that were begun with the authenticator. */
  readonly keepSessionId?: Uuid | undefined
}
