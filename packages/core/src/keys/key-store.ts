import type { ResultAsync } from 'neverthrow'
import type { ShownServer } from './shown-server.ts'
import type { Uuid } from '../shared/uuid.ts'
import type { KeyInUse } from './errors.ts'
import type { KeyRetired, StorageError } from '../shared/errors.ts'
import type { Ciphertext, Encrypted, EncryptedSecret } from '../shared/ciphertext.ts'
import type { StoredSecret } from '../secrets/secret-store.ts'
import type { TextColumn, TextPlace } from '../shared/text-columns.ts'

/** A key as a database knows it: never the key itself. */
export interface StoredKey {
  /** The number of the key. */
  readonly kid: number
  /** The value with which a process checks that its key of this number is the right one; see `KeyRingAdmin.checkValue`. */
  readonly checkValue: Uint8Array
  readonly createdAtMicros: number
  /** Whether no row may be written under it. Of the others the newest is the active key. */
  readonly isReadOnly: boolean
}

/** The keys that rows may be under. Every write that is answered with Ok is durable. No method throws or rejects. */
export interface KeyStore {
  /** All of them, by kid ascending. */
  known(): ResultAsync<readonly StoredKey[], StorageError>

  /** Lists the keys, each with the number of rows that are under it. Reads indexes to their end. */
  list(): ResultAsync<readonly (StoredKey & { readonly rows: number })[], StorageError>

  /** Adds a key; a key that is already known stays unchanged. From then on rows may be written under it, unless it is read-only. */
  add(key: StoredKey): ResultAsync<void, StorageError>

  /**
   * Makes a key the active one: rows may be written under it, and every other key becomes read-only. Once it is answered, no row is written
   * under another key, by no process. Ok(false), and nothing is changed, when it is not known or older than the active key.
   */
  activate(kid: number): ResultAsync<boolean, StorageError>

  /**
   * Removes a key, in one transaction, unless a row is under it. From then on no process can write a row under it.
   * Ok(false) when it is not known.
   * @errors `key_in_use` with the number of rows that are under it; nothing is changed
   */
  retire(kid: number): ResultAsync<boolean, KeyInUse | StorageError>
}

/** The servers, as each has shown itself last. Every write that is answered with Ok is durable. No method throws or rejects. */
export interface ServerStore {
  /** All of them, by id. */
  list(): ResultAsync<readonly ShownServer[], StorageError>

  /** Adds a server, or replaces what it has shown before, and forgets those that were seen at `forgottenByMicros` or earlier. */
  show(server: ShownServer, forgottenByMicros: number): ResultAsync<void, StorageError>

  /** Removes a server, which has ended. One that is not there is not an error. */
  remove(id: Uuid): ResultAsync<void, StorageError>
}

/** A short encrypted text and where it is stored. */
export interface StoredText {
  readonly place: TextPlace
  readonly encrypted: Encrypted
}

/** The parts of a secret that are under a key of the ring. */
export interface StoredWrappedKey {
  readonly secret: StoredSecret
  /** `undefined` once the note is destroyed. */
  readonly wrappedKey: Ciphertext | undefined
}

/**
 * Lists the rows that are not under a given key, and replaces their ciphertexts. For key rotation, which runs while everything else
 * keeps running. A replacement is durable and conditional: a row that has changed since it was read stays as it is.
 * No method throws or rejects. Pages are ordered by the row's id; `after` is the id of the last row of the page before.
 */
export interface RewrapStore {
  /** At most `limit` texts of this column whose key is not `kid`. */
  texts(
    column: TextColumn,
    kid: number,
    after: Uuid | undefined,
    limit: number,
  ): ResultAsync<readonly StoredText[], StorageError>

  /**
   * Replaces `from` by `to`, if the row still holds `from` byte for byte. Ok(false) when it does not, or is gone, whatever the key of `to`.
   * `nameIndex`, given for `account.name` and `identity.name` only, is the index under which the account or identity is found from then on.
   * @errors `key_retired`
   */
  replaceText(
    from: StoredText,
    to: Encrypted,
    nameIndex: Uint8Array | undefined,
  ): ResultAsync<boolean, KeyRetired | StorageError>

  /** At most `limit` secrets, drafts included, whose key is not `kid`. */
  secrets(
    kid: number,
    after: Uuid | undefined,
    limit: number,
  ): ResultAsync<readonly StoredWrappedKey[], StorageError>

  /**
   * Replaces the ciphertext of the head, the wrapped key and the kid by those of `to`, if the row still holds both of `from` byte for byte.
   * Ok(false) when it does not, or is gone, whatever the key of `to`. `to` has a wrapped key exactly if `from` has one; both ciphertexts are as
   * long as those they replace.
   * @errors `key_retired`
   */
  replaceSecret(from: StoredWrappedKey, to: EncryptedSecret): ResultAsync<boolean, KeyRetired | StorageError>
}
