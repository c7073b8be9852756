import type { ResultAsync } from 'neverthrow'
import type { Uuid } from '../shared/uuid.ts'
import type { StorageError } from '../shared/errors.ts'
import type { Ciphertext, Encrypted } from '../shared/ciphertext.ts'
import type { StoredWrappedKey } from '../keys/key-store.ts'
import type { TextColumn } from '../shared/text-columns.ts'

/**
 * Erases rows that an operator gives up because they do not decrypt. An erasure is durable and conditional: a row that has changed since it
 * was read stays as it is. What was erased is gone from every file soon; see `Erasure`. No method throws or rejects.
 */
export interface CorruptionStore {
  /**
   * Erases a secret or draft with its note and its link, if the row still holds the ciphertext of the head and the wrapped key of `from`
   * byte for byte. It must hold `note`, too, when that is given. Ok(false) when it does not, or is gone.
   */
  eraseSecret(from: StoredWrappedKey, note: Ciphertext | undefined): ResultAsync<boolean, StorageError>

  /**
   * Erases the row of an access token, a password, a display name, a session, a request, an identity or a passkey, if it still holds the text
   * byte for byte: the token, the session and the request's link are refused from then on, the account has no such password, display name,
   * identity or passkey. Ok(false) when it does not, or is gone.
   */
  eraseText(column: ErasableColumn, rowId: Uuid, text: Encrypted): ResultAsync<boolean, StorageError>
}

/** The columns whose row an operator may give up with their text. */
export type ErasableColumn = Extract<
  TextColumn,
  | 'access_token.name'
  | 'account.password'
  | 'account.display_name'
  | 'session.name'
  | 'identity.name'
  | 'passkey.name'
  | 'request.content'
>
