import { createCipheriv, createDecipheriv, type KeyObject } from 'node:crypto'
import type { Ciphertext } from '@sotto/core'
import type { RandomBytes } from './random.ts'

// Every ciphertext is a blob: version (1 byte) ‖ nonce (12) ‖ AES-256-GCM ciphertext (as long as the plaintext) ‖ tag (16).
const algorithm = 'aes-256-gcm'
const version = 1
const nonceLength = 12
const tagLength = 16
const cipherOptions = { authTagLength: tagLength }
const bodyAt = 1 + nonceLength

/** The number of bytes by which a blob is longer than its plaintext. */
export const blobOverhead = bodyAt + tagLength

/**
 * Encrypts under a fresh random nonce of 96 bits (NIST SP 800-38D, section 8.2.2; at most 2^32 of them under one key).
 * The key is a key object: for key bytes Node.js throws and catches two exceptions, which takes longer than the encryption.
 */
export function encryptBlob(options: {
  readonly key: KeyObject
  readonly associatedData: Uint8Array
  readonly plaintext: Uint8Array
  readonly randomBytes: RandomBytes
}): Ciphertext {
  const { plaintext } = options
  const nonce = options.randomBytes(nonceLength)
  const cipher = createCipheriv(algorithm, options.key, nonce, cipherOptions)
  cipher.setAAD(options.associatedData)
  const blob = Buffer.allocUnsafe(blobOverhead + plaintext.length)
  blob[0] = version
  blob.set(nonce, 1)
  blob.set(cipher.update(plaintext), bodyAt)
  cipher.final()
  blob.set(cipher.getAuthTag(), bodyAt + plaintext.length)
  return asCiphertext(blob)
}

/** The plaintext, in a new buffer; `undefined` unless blob, key and associated data are those of the encryption. */
export function decryptBlob(options: {
  readonly key: KeyObject
  readonly associatedData: Uint8Array
  readonly blob: Ciphertext
}): Buffer | undefined {
  const { blob } = options
  const tagAt = blob.length - tagLength
  if (tagAt < bodyAt || blob[0] !== version) return undefined
  const decipher = createDecipheriv(algorithm, options.key, blob.subarray(1, bodyAt), cipherOptions)
  decipher.setAAD(options.associatedData)
  decipher.setAuthTag(blob.subarray(tagAt))
  const plaintext = decipher.update(blob.subarray(bodyAt, tagAt))
  try {
    decipher.final()
  } catch {
    return undefined
  }
  return plaintext
}

/** The only place where bytes become a Ciphertext: {@link encryptBlob} made them. */
export function asCiphertext(blob: Uint8Array): Ciphertext {
  return blob as Ciphertext
}
