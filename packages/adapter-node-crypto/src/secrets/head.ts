import type { Ciphertext, LinkToken, SecretHead } from '@sotto/core'
import { decryptBlob, encryptBlob } from '../shared/aead.ts'
import { headData, type PlainColumns } from '../shared/associated-data.ts'
import { leastSize, padText, unpadText } from '../shared/padding.ts'
import type { RandomBytes } from '../shared/random.ts'
import type { RingKey } from '../keys/ring-key.ts'

// Plaintext of a head: its kind (1 byte) ‖ the link token's 32 bytes, zero without one ‖ of a sealed secret the digest of the proof of its
// key, 32 bytes ‖ the padded label.
const kinds = { draft: 0, link: 1, sealed: 2 }
const tokenAt = 1
const tokenLength = 32
const digestAt = tokenAt + tokenLength
const digestLength = 32

/** Encrypts what the owner's lists show of a secret, for this row. */
export function encryptHead(
  ringKey: RingKey,
  row: PlainColumns,
  { label, linkToken, proofDigest }: SecretHead,
  randomBytes: RandomBytes,
): Ciphertext {
  const kind = proofDigest !== undefined ? kinds.sealed : linkToken === undefined ? kinds.draft : kinds.link
  const plaintext = padText(label, leastSize.shortText, labelAt(kind))
  plaintext[0] = kind
  if (linkToken !== undefined) plaintext.set(linkTokenBytes(linkToken), tokenAt)
  if (proofDigest !== undefined) plaintext.set(proofDigest, digestAt)
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
  const kind = plaintext?.[0]
  const label = plaintext && unpadText(plaintext, leastSize.shortText, labelAt(kind))
  if (plaintext === undefined || label === undefined) return undefined
  // Row and head agree on whether there is a link.
  if (row.link === undefined) return kind === kinds.draft ? { label, linkToken: undefined } : undefined
  const linkToken = plaintext.toString('base64url', tokenAt, digestAt)
  if (kind === kinds.sealed)
    return {
      label,
      linkToken,
      proofDigest: Uint8Array.from(plaintext.subarray(digestAt, digestAt + digestLength)),
    }
  return kind === kinds.link ? { label, linkToken } : undefined
}

function labelAt(kind: number | undefined): number {
  return kind === kinds.sealed ? digestAt + digestLength : digestAt
}

function linkTokenBytes(token: LinkToken): Buffer {
  const bytes = Buffer.from(token, 'base64url')
  if (bytes.length !== tokenLength || bytes.toString('base64url') !== token) {
    throw new TypeError('a link token is 32 bytes in base64url')
  }
  return bytes
}
