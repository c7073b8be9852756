import type { Result, ResultAsync } from 'neverthrow'
import type { LinkToken } from './link-token.ts'
import type { OpaqueToken } from './opaque-token.ts'
import type { Uuid } from './uuid.ts'
import type { HasherBusy, DecryptError, KeysUnwritable, PasswordRequired, PasswordWrong } from '../errors.ts'
import type { Ciphertext, Encrypted, EncryptedSecret } from './ciphertext.ts'
import type { StoredNote, StoredSecret } from '../secrets/secret-store.ts'
import type { TextPlace, UnstoredPlace } from './text-columns.ts'

/** What seals a text that only whoever has a link may read: the link's token, which is stored nowhere. */
export interface TokenSeal {
  readonly accountId: Uuid
  readonly token: OpaqueToken
}

/**
 * Encrypts labels and names, each under a key of its account, padded so that its length reveals little.
 * No method throws, and all answer synchronously.
 */
export interface TextCipher {
  /** Encrypts under the active key. Two calls with the same text give different ciphertexts. */
  encryptText(place: TextPlace | UnstoredPlace, text: string): Encrypted

  /**
   * The text, exactly as it was given to {@link encryptText} for the same place.
   * @errors `data_damaged` when anything about it was changed; `key_unknown` when the ring lacks the key, even after reading it again
   */
  decryptText(place: TextPlace | UnstoredPlace, encrypted: Encrypted): Result<string, DecryptError>

  /**
   * Encrypts under a key that is made of the token and belongs to the installation and the account. No key of the ring is needed, so
   * a rotation has nothing to do with it. Two calls with the same text give different ciphertexts, padded as those of {@link encryptText}.
   */
  sealText(seal: TokenSeal, text: string): Ciphertext

  /** The text, exactly as it was given to {@link sealText} for the same seal; `undefined` when anything about it was changed. */
  unsealText(seal: TokenSeal, sealed: Ciphertext): string | undefined
}

/** What the owner's lists show of a secret besides its plain columns. A draft has no link token. */
export interface SecretHead {
  readonly label: string
  readonly linkToken: LinkToken | undefined
}

/** A new secret in plaintext. The columns that the store keeps in plaintext are bound to the ciphertexts. */
export interface PlainSecret {
  /** The plain columns; `kid` and `head` come from the encryption. */
  readonly row: Omit<StoredSecret, 'kid' | 'head'>
  readonly head: SecretHead
  readonly note: string
  /** Normalised by `normalizePassword`. `undefined` exactly if `row.hasPassword` is false. */
  readonly password: string | undefined
}

/**
 * Encrypts secrets: the head (label, link token) under a key of the account, the note under a key of its own. The note's key is wrapped
 * under a key of the account and, if there is a password, within that under one made from the password. No method throws or rejects.
 */
export interface SecretCipher {
  /**
   * Encrypts head and note under the active key.
   * @errors `hasher_busy` when too many passwords wait to be hashed (never without a password)
   */
  encryptSecret(secret: PlainSecret): ResultAsync<EncryptedSecret & StoredNote, HasherBusy>

  /**
   * The head of a stored secret, decrypted synchronously: the one decryption that a row of a list costs.
   * @errors `data_damaged` when the head or any column that is bound to it was changed (account, folder, id, creation, the link's
   * lookup, creation and expiry, open limit, password flag); `key_unknown`
   */
  decryptHead(secret: StoredSecret): Result<SecretHead, DecryptError>

  /**
   * The note of a stored secret, exactly as it was given. A password is ignored when the secret has none.
   * @errors `data_damaged` when the note, its wrapped key or a column bound to them was changed, whatever password is given, also none;
   *   `password_required` when the secret has one and none is given; `password_wrong`, which is never confused with corruption;
   *   `key_unknown`; `hasher_busy`
   */
  decryptNote(
    secret: StoredSecret,
    note: StoredNote,
    password: string | undefined,
  ): ResultAsync<string, PasswordRequired | PasswordWrong | HasherBusy | DecryptError>

  /**
   * Encrypts the head and the wrapped key again under the active key for a row that differs from `from` in what is named here at most. The
   * note itself and what the password protects stay as they are, and no password is needed. Used to share a draft, to edit one and to
   * rotate keys. The wrapped key is as long as before; so is the ciphertext of the head if its label is. Without `wrap` (the note is
   * destroyed) only the head is encrypted.
   * @param head what {@link decryptHead} gave for `from`, with the link token that `to` has
   * @errors `data_damaged` when the wrapped key does not belong to `from`; `key_unknown`
   */
  rebind(rebinding: {
    readonly from: StoredSecret
    readonly wrap: Ciphertext | undefined
    readonly link: StoredSecret['link']
    /** The columns that the new row has; those of `from` by default. */
    readonly columns?: Pick<StoredSecret, 'folderId' | 'openLimit'> | undefined
    readonly head: SecretHead
  }): Result<EncryptedSecret, DecryptError>
}

/** A process's view of the key ring. */
export interface KeyRing {
  /** The number of the key that new rows are written under. */
  activeKid(): number

  /** Reads the keys again. Never throws; a ring that cannot be read stays as it was. */
  refresh(): void

  /**
   * Reads the keys again, and asks the store which one is active, because it refused a row under another one. A ring without that key
   * keeps the one that it has. Never rejects.
   */
  follow(): Promise<void>
}

/** Changes the ring itself, durably. For key rotation: one process at a time. */
export interface KeyRingAdmin extends KeyRing {
  /** The kids of all keys in the ring, ascending. */
  kids(): readonly number[]

  /** What a database stores to tell the right key of this number from a wrong one. Reveals nothing about the key. */
  checkValue(kid: number): Uint8Array

  /** Adds a fresh random key that is not active. Ok with its kid, higher than any before it. */
  addKey(): ResultAsync<number, KeysUnwritable>

  /** Makes this key the one that new rows are written under. A key that is not in the ring is `keys_unwritable`. */
  activate(kid: number): ResultAsync<void, KeysUnwritable>

  /** Removes a key, which must not be the active one, from the ring for good. A key that is not there is not an error. */
  removeKey(kid: number): ResultAsync<void, KeysUnwritable>
}
