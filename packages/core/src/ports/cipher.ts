import type { Result, ResultAsync } from 'neverthrow'
import type { LinkToken } from '../entities/link-token.ts'
import type { Uuid } from '../entities/uuid.ts'
import type { CipherBusy, DecryptError, KeysUnwritable, PasswordRequired, PasswordWrong } from '../errors.ts'
import type { Ciphertext, Encrypted, SecretKeys } from './ciphertext.ts'
import type { StoredNote, StoredSecret } from './secret-store.ts'

/** The place where a short text is kept. A ciphertext read in any other place is damaged. */
export interface TextPlace {
  readonly column: 'account.email' | 'folder.label' | 'access_token.name'
  readonly accountId: Uuid
  /** The id of the row that holds it. */
  readonly rowId: Uuid
}

/**
 * Encrypts labels, emails and names, each under a key of its account, padded so that its length says little.
 * Both methods answer at once and never throw.
 */
export interface TextCipher {
  /** Encrypts under the active key. Two calls with the same text give different ciphertexts. */
  encryptText(place: TextPlace, text: string): Encrypted

  /**
   * The text, exactly as it was given to {@link encryptText} for the same place.
   * @errors `data_damaged` when anything about it was changed; `key_unknown` when the ring lacks the key, even after being read anew
   */
  decryptText(place: TextPlace, encrypted: Encrypted): Result<string, DecryptError>
}

/** What the owner's lists show of a secret beside its plain columns. A draft has no link token. */
export interface SecretHead {
  readonly label: string
  readonly linkToken: LinkToken | undefined
}

/** Everything about a new secret, in plain. The parts that the store keeps in plain are bound to the ciphertexts. */
export interface PlainSecret {
  /** Its `kid` and `head` are still to be made. */
  readonly row: Omit<StoredSecret, 'kid' | 'head'>
  readonly head: SecretHead
  readonly note: string
  /** NFC-normalised. `undefined` exactly if `row.hasPassword` is false. */
  readonly password: string | undefined
}

/**
 * Encrypts secrets: the head (label, link token) under a key of the account, the note under a key of its own, which is wrapped
 * under a key of the account and, if there is a password, within that under one made from the password.
 * No method throws or rejects.
 */
export interface SecretCipher {
  /**
   * Encrypts head and note under the active key.
   * @errors `cipher_busy` when too many passwords wait to be hashed (never without a password)
   */
  encryptSecret(secret: PlainSecret): ResultAsync<SecretKeys & StoredNote, CipherBusy>

  /**
   * The head of a stored secret, at once: the one decryption that a row of a list costs.
   * @errors `data_damaged` when the head or any column that is bound to it was changed (account, folder, id, creation, the link's
   * lookup, creation and expiry, open limit, password flag); `key_unknown`
   */
  decryptHead(secret: StoredSecret): Result<SecretHead, DecryptError>

  /**
   * The note of a stored secret, exactly as it was given. A password that is not asked for is ignored.
   * @errors `password_required` when the secret has one and none is given; `password_wrong`, told from damage;
   * `data_damaged` when the note, its wrap or a column bound to them was changed; `key_unknown`; `cipher_busy`
   */
  decryptNote(
    secret: StoredSecret,
    note: StoredNote,
    password: string | undefined,
  ): ResultAsync<string, PasswordRequired | PasswordWrong | CipherBusy | DecryptError>

  /**
   * Makes head and wrap anew under the active key for `to`, which differs from `from` in its link at most; the note itself and
   * what the password protects stay as they are, and no password is needed. Used to share a draft and to rotate keys. They
   * are as long as before.
   * Without `wrap` (the note is destroyed) only the head is made anew.
   * @errors `data_damaged`, `key_unknown`
   */
  rebind(
    from: StoredSecret,
    wrap: Ciphertext | undefined,
    to: { readonly link: StoredSecret['link']; readonly linkToken: LinkToken | undefined },
  ): Result<SecretKeys, DecryptError>
}

/** A process's view of the key ring. */
export interface KeyRing {
  /** The key that new rows are written under. */
  activeKid(): number

  /**
   * Reads the keys anew, because a store has refused a row under a key that is retired. Never throws; a ring that cannot be
   * read stays as it was.
   */
  refresh(): void
}

/** Changes the ring itself, durably. For the rotation of keys: one process at a time. */
export interface KeyRingAdmin extends KeyRing {
  /** The kids of all keys in the ring, ascending. */
  kids(): readonly number[]

  /** What a database keeps to tell the right key of this number from a wrong one. Reveals nothing of the key. */
  checkValue(kid: number): Uint8Array

  /** Adds a fresh random key that is not active. Ok with its kid, higher than any before it. */
  addKey(): ResultAsync<number, KeysUnwritable>

  /** Makes a key the one that new rows are written under. One that is not in the ring is `keys_unwritable`. */
  activate(kid: number): ResultAsync<void, KeysUnwritable>

  /** Takes a key, which must not be the active one, out of the ring for good. One that is not there is fine. */
  removeKey(kid: number): ResultAsync<void, KeysUnwritable>
}
