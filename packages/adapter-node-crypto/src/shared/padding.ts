import { isUtf8 } from 'node:buffer'

// A padded text: its length in bytes (4, big-endian) ‖ the text in UTF-8 ‖ zero bytes. Text and zeros together are as long as the
// smallest power of two that is at least the text's length and at least the minimum of its kind.
const lengthBytes = 4

/** The smallest size that a kind of text is padded to, in bytes: a power of two. */
export const leastSize = { shortText: 64, note: 256 } as const

/** How many bytes a text of `byteLength` bytes takes when it is padded. */
export function paddedLength(byteLength: number, least: number): number {
  return lengthBytes + (byteLength <= least ? least : 2 ** (32 - Math.clz32(byteLength - 1)))
}

/**
 * Pads a text, in a new buffer.
 *
 * @param text well-formed: a lone surrogate has no UTF-8 and would be lost
 * @param before how many zero bytes to leave in front
 */
export function padText(text: string, least: number, before = 0): Buffer {
  if (!text.isWellFormed()) throw new TypeError('a text to encrypt must not have lone surrogates')
  const byteLength = Buffer.byteLength(text, 'utf8')
  const padded = Buffer.alloc(before + paddedLength(byteLength, least))
  padded.writeUInt32BE(byteLength, before)
  padded.write(text, before + lengthBytes, 'utf8')
  return padded
}

/** The text in `padded` after its first `before` bytes; `undefined` unless it is padded exactly as {@link padText} does it. */
export function unpadText(padded: Buffer, least: number, before = 0): string | undefined {
  const start = before + lengthBytes
  if (padded.length < start) return undefined
  const byteLength = padded.readUInt32BE(before)
  if (byteLength > padded.length - start) return undefined
  if (padded.length !== before + paddedLength(byteLength, least)) return undefined
  const end = start + byteLength
  if (!isZero(padded, end) || !isUtf8(padded.subarray(start, end))) return undefined
  return padded.toString('utf8', start, end)
}

function isZero(bytes: Buffer, from: number): boolean {
  for (let at = from; at < bytes.length; at += 1) {
    if (bytes[at] !== 0) return false
  }
  return true
}
