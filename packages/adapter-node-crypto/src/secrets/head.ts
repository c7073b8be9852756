import type { Ciphertext, LinkToken, SecretHead } from '@sotto/core'
import { decryptBlob, encryptBlob } from '../shared/aead.ts'
import { headData, type PlainColumns } from '../shared/associated-data.ts'
import { leastSize, padText, unpadText } from '../shared/padding.ts'
import type { RandomBytes } from '../shared/random.ts'
import type { RingKey } from '../keys/ring-key.ts'

// Plaintext of a head: 1 with a link token, 0 without (1 byte) ‖ the token's 32 bytes, zero without one ‖ the padded label.
const tokenAt = 1
const tokenLength = 32
const labelAt = tokenAt + tokenLength

/** Encrypts what the owner's lists show of a secret, for this row. */
export function encryptHead(
  ringKey: RingKey,
  row: PlainColumns,
  { label, linkToken }: SecretHead,
  randomBytes: RandomBytes,
): Ciphertext {
  const plaintext = padText(label, leastSize.shortText, labelAt)
  if (linkToken !== undefined) {
    plaintext[0] = 1
    plaintext.set(linkTokenBytes(linkToken), tokenAt)
  }
  return encryptBlob({
    key: ringKey.accountKey('secret.head', row.accountId),
    associatedData: headData(row, ringKey.kid),
    plaintext,
    randomBytes,
  })
}

/** The head; `undefined` when its ciphertext does not belong to this row. */
export function decryptHead(
  ringKey: RingKey,
  row: PlainColumns,
  headCiphertext: Ciphertext,
): SecretHead | undefined {
  const plaintext = decryptBlob({
    key: ringKey.accountKey('secret.head', row.accountId),
    associatedData: headData(row, ringKey.kid),
    blob: headCiphertext,
  })
  const label = plaintext && unpadText(plaintext, leastSize.shortText, labelAt)
  if (plaintext === undefined || label === undefined) return undefined
  // Row and head agree on whether there is a link.
  if (plaintext[0] !== (row.link === undefined ? 0 : 1)) return undefined
  return { label, linkToken: row.link && plaintext.toString('base64url', tokenAt, labelAt) }
}

function linkTokenBytes(token: LinkToken): Buffer {
  const bytes = Buffer.from(token, 'base64url')
  if (bytes.length !== tokenLength || bytes.toString('base64url') !== token) {
    throw new TypeError('a link token is 32 bytes in base64url')
  }
  return bytes
}
