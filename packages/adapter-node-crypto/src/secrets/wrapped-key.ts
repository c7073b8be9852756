import type { Ciphertext, PasswordHashParams } from '@sotto/core'
import { asCiphertext, blobOverhead, decryptBlob, encryptBlob } from '../shared/aead.ts'
import { wrappedKeyData, type PlainColumns } from '../shared/associated-data.ts'
import { arePasswordHashParamsSound, saltLength } from '../passwords/password-hasher.ts'
import type { RandomBytes } from '../shared/random.ts'
import type { RingKey } from '../keys/ring-key.ts'

// Plaintext of a wrapped key without a password: the note's key (32 bytes). With a password: salt (16) ‖ algorithm (1) ‖ memory in KiB (4)
// ‖ passes (4) ‖ lanes (4) ‖ commitment (32) ‖ blob of the note's key (61) ‖ digest of the note's blob (32), numbers big-endian.
export const noteKeyLength = 32
const argon2idVersion19 = 1
const algorithmAt = saltLength
const commitmentAt = algorithmAt + 1 + 3 * 4
const innerAt = commitmentAt + 32
const noteDigestAt = innerAt + blobOverhead + noteKeyLength
const wrappedContentLength = noteDigestAt + 32

/** Encrypts the content of a wrapped key, for this row. */
export function encryptWrappedKey(
  ringKey: RingKey,
  row: PlainColumns,
  content: Uint8Array,
  randomBytes: RandomBytes,
): Ciphertext {
  return encryptBlob({
    key: ringKey.accountKey('secret.wrap', row.accountId),
    associatedData: wrappedKeyData(row, ringKey.kid),
    plaintext: content,
    randomBytes,
  })
}

/** The content of a wrapped key, in a new buffer; `undefined` when the wrapped key does not belong to this row. */
export function decryptWrappedKey(
  ringKey: RingKey,
  row: PlainColumns,
  wrappedKey: Ciphertext,
): Buffer | undefined {
  const content = decryptBlob({
    key: ringKey.accountKey('secret.wrap', row.accountId),
    associatedData: wrappedKeyData(row, ringKey.kid),
    blob: wrappedKey,
  })
  return content?.length === (row.hasPassword ? wrappedContentLength : noteKeyLength) ? content : undefined
}

/** The content of a wrapped key with a password. */
export interface WrappedContent {
  readonly salt: Uint8Array
  readonly params: PasswordHashParams
  readonly commitment: Uint8Array
  /** The note's key, encrypted under the key that comes from the password. */
  readonly inner: Ciphertext
  /** SHA-256 of the note's blob: shows that the note was changed when nobody gives the password. */
  readonly noteDigest: Uint8Array
}

export function joinWrappedContent({ salt, params, commitment, inner, noteDigest }: WrappedContent): Buffer {
  const content = Buffer.alloc(wrappedContentLength)
  content.set(salt)
  content.writeUInt8(argon2idVersion19, algorithmAt)
  content.writeUInt32BE(params.memoryKiB, algorithmAt + 1)
  content.writeUInt32BE(params.passes, algorithmAt + 5)
  content.writeUInt32BE(params.parallelism, algorithmAt + 9)
  content.set(commitment, commitmentAt)
  content.set(inner, innerAt)
  content.set(noteDigest, noteDigestAt)
  return content
}

/**
 * The parts of what {@link decryptWrappedKey} returned for a row with a password; `undefined` when it names another algorithm, or parameters
 * that no server should use.
 */
export function splitWrappedContent(content: Buffer): WrappedContent | undefined {
  if (content[algorithmAt] !== argon2idVersion19) return undefined
  const params = {
    memoryKiB: content.readUInt32BE(algorithmAt + 1),
    passes: content.readUInt32BE(algorithmAt + 5),
    parallelism: content.readUInt32BE(algorithmAt + 9),
  }
  if (!arePasswordHashParamsSound(params)) return undefined
  return {
    salt: content.subarray(0, saltLength),
    params,
    commitment: content.subarray(commitmentAt, innerAt),
    inner: asCiphertext(content.subarray(innerAt, noteDigestAt)),
    noteDigest: content.subarray(noteDigestAt),
  }
}
