import type { Ciphertext, LinkToken, SecretHead } from '@sotto/core'
import { decryptBlob, encryptBlob } from '../shared/aead.ts'
import { headData, type PlainColumns } from '../shared/associated-data.ts'
import { leastSize, padText, unpadText } from '../shared/padding.ts'
import type { RandomBytes } from '../shared/random.ts'
import type { RingKey } from '../keys/ring-key.ts'

// Plaintext of a head: its kind (1 byte) ‖ the link token's 32 bytes, zero without one ‖ of a sealed secret the digest of the proof of its
// key, 32 bytes; of a sealed answer the key of its request, 65 bytes ‖ the padded label.
const kinds = { draft: 0, link: 1, sealed: 2, answer: 3 }
const tokenAt = 1
const tokenLength = 32
const sealedAt = tokenAt + tokenLength
const digestLength = 32
const requestKeyLength = 65

/** Encrypts what the owner's lists show of a secret, for this row. */
export function encryptHead(
  ringKey: RingKey,
  row: PlainColumns,
  head: SecretHead,
  randomBytes: RandomBytes,
): Ciphertext {
  const { label, linkToken, proofDigest, requestKey } = head
  const kind = kindOf(head)
  const plaintext = padText(label, leastSize.shortText, labelAt(kind))
  plaintext[0] = kind
  if (linkToken !== undefined) plaintext.set(linkTokenBytes(linkToken), tokenAt)
  if (proofDigest !== undefined) plaintext.set(proofDigest, sealedAt)
  if (requestKey !== undefined) plaintext.write(requestKey, sealedAt, 'base64url')
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
  if (row.link === undefined) {
    const draft = { label, linkToken: undefined }
    if (kind === kinds.answer)
      return { ...draft, requestKey: plaintext.toString('base64url', sealedAt, labelAt(kind)) }
    return kind === kinds.draft ? draft : undefined
  }
  const linkToken = plaintext.toString('base64url', tokenAt, sealedAt)
  if (kind === kinds.sealed)
    return { label, linkToken, proofDigest: new Uint8Array(plaintext.subarray(sealedAt, labelAt(kind))) }
  return kind === kinds.link ? { label, linkToken } : undefined
}

function kindOf({ linkToken, proofDigest, requestKey }: SecretHead): number {
  if (requestKey !== undefined) return kinds.answer
  if (proofDigest !== undefined) return kinds.sealed
  return linkToken === undefined ? kinds.draft : kinds.link
}

function labelAt(kind: number | undefined): number {
  if (kind === kinds.answer) return sealedAt + requestKeyLength
  return kind === kinds.sealed ? sealedAt + digestLength : sealedAt
}

function linkTokenBytes(token: LinkToken): Buffer {
  const bytes = Buffer.from(token, 'base64url')
  if (bytes.length !== tokenLength || bytes.toString('base64url') !== token) {
    throw new TypeError('a link token is 32 bytes in base64url')
  }
  return bytes
}
