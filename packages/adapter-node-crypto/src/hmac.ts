import { hash } from 'node:crypto'

/** The HMAC-SHA-256 of a text's UTF-8 under one key: 32 bytes. */
export type Hmac = (text: string) => Buffer

const blockBytes = 64
const digestBytes = 32
/** Longer texts, such as requests with long notes, have a buffer of their own. */
const sharedTextBytes = 4_096

/**
 * HMAC by its definition (RFC 2104): two digests, of the key's inner pad with the text, and of its outer pad with the first digest.
 * `createHmac` of Node.js makes a stream for every text, which takes twice as long.
 * @param key 32 bytes, which are zero afterwards
 */
export function createHmacSha256(key: Uint8Array): Hmac {
  if (key.length !== digestBytes) throw new TypeError('an HMAC key has 32 bytes')
  const inner = padded(key, 0x36, sharedTextBytes)
  const outer = padded(key, 0x5c, digestBytes)
  key.fill(0)

  /** The texts are confidential: their copies are zero again before this returns. */
  function innerDigest(text: string): string {
    const byteLength = Buffer.byteLength(text, 'utf8')
    const message = byteLength > sharedTextBytes ? Buffer.alloc(blockBytes + byteLength) : inner
    if (message !== inner) inner.copy(message, 0, 0, blockBytes)
    message.write(text, blockBytes, 'utf8')
    const digest = hash('sha256', message.subarray(0, blockBytes + byteLength), 'binary')
    message.fill(0, message === inner ? blockBytes : 0, blockBytes + byteLength)
    return digest
  }

  return (text) => {
    outer.write(innerDigest(text), blockBytes, 'binary')
    return Buffer.from(hash('sha256', outer, 'binary'), 'binary')
  }
}

/** A block with the key under a pad, and room for what follows it. */
function padded(key: Uint8Array, pad: number, room: number): Buffer {
  const block = Buffer.alloc(blockBytes + room)
  block.fill(pad, 0, blockBytes)
  for (const [at, byte] of key.entries()) block[at] = byte ^ pad
  return block
}
