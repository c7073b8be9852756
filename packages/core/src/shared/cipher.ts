import type { Result } from 'neverthrow'
import type { OpaqueToken } from './opaque-token.ts'
import type { Uuid } from './uuid.ts'
import type { DecryptError } from './errors.ts'
import type { Ciphertext, Encrypted } from './ciphertext.ts'
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
