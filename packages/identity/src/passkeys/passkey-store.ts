import type { Uuid, AccountNotFound, KeyRetired, StorageError, Encrypted } from '@sotto/core'
import type { ResultAsync } from 'neverthrow'
import type { Passkey } from './passkey.ts'
import type { PasskeyLimitReached, PasskeyNotFound, PasskeyTaken } from './errors.ts'
import type { LastAuthenticator } from '../authenticators/errors.ts'
import type { RemoveAuthenticator } from '../authenticators/authenticators.ts'

/** A passkey as it is stored. */
export interface StoredPasskey extends Omit<Passkey, 'name'> {
  readonly accountId: Uuid
  readonly name: Encrypted
  /** The id that the authenticator gave it: 16 to 1,023 bytes (WebAuthn Level 3, credential ID). */
  readonly credentialId: Uint8Array
  /** The passkey's public key as SubjectPublicKeyInfo (RFC 5280), in DER. */
  readonly publicKey: Uint8Array
  /** The number of its algorithm (COSE): -7, -8 or -257. */
  readonly algorithm: number
  /** How often it was used, as far as the authenticator counts; 0 for one that does not. */
  readonly counter: number
}

/** A passkey, and what a sign-in needs to know about its account. */
export interface PasskeyStatus extends StoredPasskey {
  /** Whether its account is disabled. */
  readonly accountDisabled: boolean
}

/** How many passkeys are bound to a host. */
export interface PasskeyHost {
  readonly rpId: string
  readonly passkeys: number
}

/**
 * Stores passkeys, each found by the digest of its credential's id (32 bytes, `Digests.opaqueTokenDigest`). An account whose erasure has begun has
 * none. Every write that is answered with Ok is durable. No method throws or rejects.
 */
export interface PasskeyStore {
  /**
   * Adds a passkey, unless its account has `max`: atomically. An id that is taken is `storage_failed`.
   * @errors `account_not_found` when there is no such account or it is disabled; `passkey_taken` when one with this digest is stored, of
   * whatever account; `passkey_limit_reached`; `key_retired` when rows may not be written under the name's key
   */
  insert(
    passkey: StoredPasskey,
    digest: Uint8Array,
    max: number,
  ): ResultAsync<void, AccountNotFound | PasskeyTaken | PasskeyLimitReached | KeyRetired | StorageError>

  /** All passkeys of an account, by creation and id ascending. */
  list(accountId: Uuid): ResultAsync<readonly StoredPasskey[], StorageError>

  /** The passkey with this digest, even if its account is disabled; `undefined` when there is none. */
  findByCredential(digest: Uint8Array): ResultAsync<PasskeyStatus | undefined, StorageError>

  /**
   * Records a use, with the counter that the authenticator sent. Ok(false), and nothing is changed, when there is no such passkey, or when the
   * counter does not go on from the stored one: both are 0, or it is greater (WebAuthn Level 3, section 6.1.1). So of two uses with one counter
   * one succeeds.
   */
  recordUse(id: Uuid, counter: number, atMicros: number): ResultAsync<boolean, StorageError>

  /**
   * Erases a passkey and the sessions that were begun with it, as `IdentityStore.erase` does.
   * @errors `passkey_not_found` when the account has no such passkey; `last_way_in` when `mayErase` said so
   */
  erase(
    accountId: Uuid,
    id: Uuid,
    how: RemoveAuthenticator,
  ): ResultAsync<void, PasskeyNotFound | LastAuthenticator | StorageError>

  /** The hosts that passkeys are bound to, by name. For an examination. */
  hosts(): ResultAsync<readonly PasskeyHost[], StorageError>
}
