declare const ciphertextBrand: unique symbol

/** Bytes that only a cipher makes and only a cipher reads. No plaintext is assignable to it. */
export type Ciphertext = Uint8Array & { readonly [ciphertextBrand]: true }

/** A ciphertext and the number of the ring's key that it is under. */
export interface Encrypted {
  /** The number of the key. */
  readonly kid: number
  readonly ciphertext: Ciphertext
}

/** The ciphertexts of a secret that are under a key of the ring; they are always written together. */
export interface EncryptedSecret {
  /** The number of the key that both are under. */
  readonly kid: number
  readonly headCiphertext: Ciphertext
  /** The note's key, wrapped; `undefined` once the note is destroyed. */
  readonly wrappedKey: Ciphertext | undefined
}

/** Whether a value is an encrypted text; its parts are looked at when it is decrypted. */
export function isEncrypted(value: unknown): value is Encrypted {
  return typeof value === 'object' && value !== null && 'kid' in value && 'ciphertext' in value
}
