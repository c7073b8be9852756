import type { ResultAsync } from 'neverthrow'
import type { Uuid } from '../entities/uuid.ts'
import type { KeyInUse, KeyRetired, StorageError } from '../errors.ts'
import type { TextPlace } from './cipher.ts'
import type { Ciphertext, Encrypted, SecretKeys } from './ciphertext.ts'
import type { StoredSecret } from './secret-store.ts'

/** A key as a database knows it: never the key itself. */
export interface StoredKey {
  readonly kid: number
  /** By which a process tells that its key of this number is the right one; see `KeyRingAdmin.checkValue`. */
  readonly checkValue: Uint8Array
  readonly createdAtMicros: number
}

/** The keys that rows may be written under. Every write that is answered with Ok is durable. No method throws or rejects. */
export interface KeyStore {
  /** All of them, by kid ascending, each with the number of rows that use it. */
  list(): ResultAsync<readonly (StoredKey & { readonly rows: number })[], StorageError>

  /** Adds a key; one that is known already stays as it is. From then on rows may be written under it. */
  add(key: StoredKey): ResultAsync<void, StorageError>

  /**
   * Takes a key away, in one transaction, unless a row uses it. From then on no row can be written under it, by any process.
   * Ok(false) when it is not known.
   * @errors `key_in_use` with the number of rows that use it; nothing is changed
   */
  retire(kid: number): ResultAsync<boolean, KeyInUse | StorageError>
}

/** A short text that is kept encrypted, wherever it is kept. */
export interface StoredText {
  readonly place: TextPlace
  readonly encrypted: Encrypted
}

/** A secret's parts that hang on the key ring. */
export interface StoredWrap {
  readonly secret: StoredSecret
  /** `undefined` once the note is destroyed. */
  readonly wrap: Ciphertext | undefined
}

/**
 * Hands out the rows that are not under a given key, and replaces what hangs on the ring in them. For the rotation of keys, which
 * runs beside everything else. Replacing is durable, and compares: a row that has changed since it was read stays as it is.
 * No method throws or rejects. Slices are ordered by the row's id; `after` is the id of the last row of the slice before.
 */
export interface RewrapStore {
  /** At most `limit` emails, labels or names, as `column` says, whose key is not `kid`. */
  texts(
    column: TextPlace['column'],
    kid: number,
    after: Uuid | undefined,
    limit: number,
  ): ResultAsync<readonly StoredText[], StorageError>

  /**
   * Puts `to` in the place of `from`, if the row still holds `from` byte for byte. Ok(false) when it does not, or is gone.
   * With `emailIndex`, which goes with `account.email` alone, the account is found by that one from then on.
   * @errors `key_retired`
   */
  replaceText(
    from: StoredText,
    to: Encrypted,
    emailIndex: Uint8Array | undefined,
  ): ResultAsync<boolean, KeyRetired | StorageError>

  /** At most `limit` secrets, drafts included, whose key is not `kid`. */
  secrets(
    kid: number,
    after: Uuid | undefined,
    limit: number,
  ): ResultAsync<readonly StoredWrap[], StorageError>

  /**
   * Puts `to` in the place of head, wrap and kid, if the row still holds head and wrap of `from` byte for byte. Ok(false) when it
   * does not, or is gone. A wrap that `to` lacks must be one that `from` lacks; what `to` has is as long as what it replaces.
   * @errors `key_retired`
   */
  replaceSecret(from: StoredWrap, to: SecretKeys): ResultAsync<boolean, KeyRetired | StorageError>
}
