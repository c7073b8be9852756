import type { Ciphertext } from '@sotto/core'
import { asCiphertext, blobOverhead, decryptBlob, encryptBlob } from './aead.ts'
import { wrapData, type PlainColumns } from './associated-data.ts'
import { areArgon2ParamsSound, saltLength, type Argon2Params } from './password.ts'
import type { RandomBytes } from './random.ts'
import type { RingKey } from './ring-key.ts'

// A wrap holds the note's key itself (32 bytes) when there is no password. With one it holds
// salt (16) ‖ algorithm (1) ‖ memory in KiB (4) ‖ passes (4) ‖ lanes (4) ‖ commitment (32) ‖ blob of the note's key (61),
// numbers big-endian.
export const noteKeyLength = 32
const argon2idVersion19 = 1
const algorithmAt = saltLength
const commitmentAt = algorithmAt + 1 + 3 * 4
const innerAt = commitmentAt + 32
const passwordWrapLength = innerAt + blobOverhead + noteKeyLength

/** Encrypts what a wrap holds, for this row. */
export function encryptWrap(
  ringKey: RingKey,
  row: PlainColumns,
  held: Uint8Array,
  randomBytes: RandomBytes,
): Ciphertext {
  return encryptBlob({
    key: ringKey.accountKey('secret.wrap', row.accountId),
    associatedData: wrapData(row, ringKey.kid),
    plaintext: held,
    randomBytes,
  })
}

/** What a wrap holds, in a buffer of its own; `undefined` when it is not this row's. */
export function decryptWrap(ringKey: RingKey, row: PlainColumns, wrap: Ciphertext): Buffer | undefined {
  const held = decryptBlob({
    key: ringKey.accountKey('secret.wrap', row.accountId),
    associatedData: wrapData(row, ringKey.kid),
    blob: wrap,
  })
  return held?.length === (row.hasPassword ? passwordWrapLength : noteKeyLength) ? held : undefined
}

/** What a wrap holds when there is a password. */
export interface PasswordWrap {
  readonly salt: Uint8Array
  readonly params: Argon2Params
  readonly commitment: Uint8Array
  /** The note's key under the key made from the password. */
  readonly inner: Ciphertext
}

export function joinPasswordWrap({ salt, params, commitment, inner }: PasswordWrap): Buffer {
  const held = Buffer.alloc(passwordWrapLength)
  held.set(salt)
  held.writeUInt8(argon2idVersion19, algorithmAt)
  held.writeUInt32BE(params.memoryKiB, algorithmAt + 1)
  held.writeUInt32BE(params.passes, algorithmAt + 5)
  held.writeUInt32BE(params.parallelism, algorithmAt + 9)
  held.set(commitment, commitmentAt)
  held.set(inner, innerAt)
  return held
}

/**
 * Takes apart what {@link decryptWrap} returned for a row with a password; `undefined` when it names another algorithm or a
 * price that no server should pay.
 */
export function splitPasswordWrap(held: Buffer): PasswordWrap | undefined {
  if (held[algorithmAt] !== argon2idVersion19) return undefined
  const params = {
    memoryKiB: held.readUInt32BE(algorithmAt + 1),
    passes: held.readUInt32BE(algorithmAt + 5),
    parallelism: held.readUInt32BE(algorithmAt + 9),
  }
  if (!areArgon2ParamsSound(params)) return undefined
  return {
    salt: held.subarray(0, saltLength),
    params,
    commitment: held.subarray(commitmentAt, innerAt),
    inner: asCiphertext(held.subarray(innerAt)),
  }
}
