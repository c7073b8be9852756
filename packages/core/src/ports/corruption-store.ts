import type { ResultAsync } from 'neverthrow'
import type { Uuid } from '../entities/uuid.ts'
import type { StorageError } from '../errors.ts'
import type { Ciphertext, Encrypted } from './ciphertext.ts'
import type { StoredWrap } from './key-store.ts'

/**
 * Erases rows that an operator gives up because they do not decrypt. An erasure is durable and conditional: a row that has changed since it
 * was read stays as it is. What was erased is gone from every file soon; see `Erasure`. No method throws or rejects.
 */
export interface CorruptionStore {
  /**
   * Erases a secret or draft with its note and its link, if the row still holds head and wrap of `from` byte for byte. It must hold `note`,
   * too, when that is given. Ok(false) when it does not, or is gone.
   */
  eraseSecret(from: StoredWrap, note: Ciphertext | undefined): ResultAsync<boolean, StorageError>

  /**
   * Erases an access token, which is refused from then on, if the row still holds `name` byte for byte. Ok(false) when it does not, or is
   * gone.
   */
  eraseAccessToken(id: Uuid, name: Encrypted): ResultAsync<boolean, StorageError>

  /**
   * Erases the password of an account, which has none from then on, if the row still holds `hash` byte for byte. Ok(false) when it does
   * not, or is gone.
   */
  erasePassword(id: Uuid, hash: Encrypted): ResultAsync<boolean, StorageError>
}
