import type { LinkToken } from '../shared/link-token.ts'
import type { StoredNote, StoredSecret } from './secret-store.ts'
import type { ResultAsync, Result } from 'neverthrow'
import type { PasswordRequired, PasswordWrong } from './errors.ts'
import type { DecryptError, HasherBusy } from '../shared/errors.ts'
import type { EncryptedSecret, Ciphertext } from '../shared/ciphertext.ts'
import type { Sealed } from '../sealed/sealed-note.ts'

/** What the owner's lists show of a secret besides its plain columns. A draft has no link token. */
export interface SecretHead extends Sealed {
  readonly label: string
  readonly linkToken: LinkToken | undefined
}

/** A new secret in plaintext. The columns that the store keeps in plaintext are bound to the ciphertexts. */
export interface PlainSecret {
  /** The plain columns; `kid` and `headCiphertext` come from the encryption. */
  readonly row: Omit<StoredSecret, 'kid' | 'headCiphertext'>
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
   * rotate keys. The wrapped key is as long as before; so is the ciphertext of the head if its label is. Without `wrappedKey` (the note is
   * destroyed) only the head is encrypted.
   * @param head what {@link decryptHead} gave for `from`, with the link token that `to` has
   * @errors `data_damaged` when the wrapped key does not belong to `from`; `key_unknown`
   */
  rebind(rebinding: {
    readonly from: StoredSecret
    readonly wrappedKey: Ciphertext | undefined
    readonly link: StoredSecret['link']
    /** The columns that the new row has; those of `from` by default. */
    readonly columns?: Pick<StoredSecret, 'folderId' | 'openLimit'> | undefined
    readonly head: SecretHead
  }): Result<EncryptedSecret, DecryptError>
}
