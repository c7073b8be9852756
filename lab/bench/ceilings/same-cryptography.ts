import { createCipheriv, createSecretKey, hash, randomBytes, type KeyObject } from 'node:crypto'

const headKey = createSecretKey(randomBytes(32))
const wrapKey = createSecretKey(randomBytes(32))
const accessToken = 'sotto_0123456789012345678901234567890123456789012345'
const headBytes = Buffer.alloc(101, 1)
const associatedData = Buffer.alloc(250, 1)

/**
 * The cryptography that creating a secret cannot do without, directly on node:crypto: two hashes, the random bytes, three encryptions.
 * The server needs up to two further hashes of a few bytes for the time in its link tokens.
 */
export function encryptLikeTheServer(note: string): Buffer {
  hash('sha256', accessToken, 'buffer')
  randomBytes(8)
  const linkToken = randomBytes(32)
  hash('sha256', linkToken, 'buffer')
  const noteKey = randomBytes(32)
  const padded = Buffer.alloc(260)
  padded.write(note, 4, 'utf8')
  return Buffer.concat([
    encrypt(headKey, headBytes),
    encrypt(wrapKey, noteKey),
    encrypt(createSecretKey(noteKey), padded),
  ])
}

function encrypt(key: KeyObject, plaintext: Uint8Array): Buffer {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: 16 })
  cipher.setAAD(associatedData)
  const body = cipher.update(plaintext)
  cipher.final()
  return Buffer.concat([nonce, body, cipher.getAuthTag()])
}
