import type { Uuid, KeyRetired, StorageError, Encrypted } from '@sotto/core'
import type { ResultAsync } from 'neverthrow'
import type { AuthenticatorReader } from '../authenticators/authenticators.ts'

/** An account's password as it is stored: an Argon2id hash, encrypted, so that a stolen database gives nobody a hash to guess against. */
export interface StoredPassword {
  /** The id of the password: another one each time that one is set. */
  readonly id: Uuid
  readonly accountId: Uuid
  readonly createdAtMicros: number
  /** The text that `passwordHashText` spells, encrypted. */
  readonly hash: Encrypted
}

/**
 * Stores the passwords of accounts, one each, and tells what else their owners sign in with. Every write that is answered with Ok is
 * durable. No method throws or rejects.
 */
export interface PasswordStore extends AuthenticatorReader {
  /** The account's password; `undefined` when it has none. */
  find(accountId: Uuid): ResultAsync<StoredPassword | undefined, StorageError>

  /**
   * Replaces the account's password `expectedId`, ends its sessions, except `keepSessionId`, and erases its one-time link and its waiting
   * change of the email address, in one transaction.
   * Ok(false), and nothing is changed, when the account has another password by now, or none, or no session `keepSessionId`: a session
   * that was ended must not change the password.
   * @errors `key_retired` when rows may not be written under the hash's key
   */
  replace(
    password: StoredPassword,
    options: { readonly expectedId: Uuid; readonly keepSessionId: Uuid },
  ): ResultAsync<boolean, KeyRetired | StorageError>
}
