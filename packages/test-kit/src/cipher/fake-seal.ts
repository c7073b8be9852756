import type { Ciphertext } from '@sotto/core'
import { createSeededRandom } from '../shared/seeded-random.ts'

const version = 1
const nonceBytes = 4
const checksumBytes = 8
const lengthBytes = 4

/**
 * NOT encryption: scrambles the text so that tests do not see plaintext by accident, and pads it. Adds a checksum that changes with any
 * byte of the result or of its binding. Anyone can undo it.
 *
 * @param nonce a different number each time, so that the same text looks different
 */
export function fakeSeal(
  text: string,
  { binding, nonce, padTo }: { binding: string; nonce: number; padTo: number },
): Ciphertext {
  const plain = new TextEncoder().encode(text)
  const padded = new Uint8Array(Math.ceil((plain.length + lengthBytes) / padTo) * padTo)
  new DataView(padded.buffer).setUint32(0, plain.length)
  padded.set(plain, lengthBytes)
  const sealed = new Uint8Array(1 + nonceBytes + padded.length + checksumBytes)
  sealed[0] = version
  new DataView(sealed.buffer).setUint32(1, nonce)
  sealed.set(scrambled(padded, nonce), 1 + nonceBytes)
  sealed.set(checksum(binding, sealed.subarray(0, -checksumBytes)), sealed.length - checksumBytes)
  return sealed as Ciphertext
}

/** The text of {@link fakeSeal}; `undefined` when a byte of the result or of its binding was changed. */
export function fakeOpen(sealed: Ciphertext, binding: string): string | undefined {
  if (sealed.length < 1 + nonceBytes + lengthBytes + checksumBytes) return undefined
  const body = sealed.subarray(0, -checksumBytes)
  const expected = checksum(binding, body)
  if (!expected.every((byte, at) => byte === sealed[body.length + at])) return undefined
  const nonce = new DataView(body.buffer, body.byteOffset).getUint32(1)
  const padded = scrambled(body.subarray(1 + nonceBytes), nonce)
  const length = new DataView(padded.buffer).getUint32(0)
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(
    padded.subarray(lengthBytes, lengthBytes + length),
  )
}

function scrambled(bytes: Uint8Array, seed: number): Uint8Array {
  const mask = createSeededRandom(seed).bytes(bytes.length)
  return bytes.map((byte, at) => byte ^ (mask[at] ?? 0))
}

/** FNV-1a twice, from two offsets. Every step is reversible, so a single changed byte always changes the sum. */
function checksum(binding: string, bytes: Uint8Array): Uint8Array {
  let one = 0x811c9dc5
  let other = 0x050c5d1f
  for (const part of [new TextEncoder().encode(binding), bytes]) {
    for (const byte of part) {
      one = Math.imul(one ^ byte, 0x01000193)
      other = Math.imul(other ^ byte, 0x01000193)
    }
    one = Math.imul(one ^ part.length, 0x01000193)
    other = Math.imul(other ^ part.length, 0x01000193)
  }
  const sum = new Uint8Array(checksumBytes)
  const view = new DataView(sum.buffer)
  view.setUint32(0, one)
  view.setUint32(4, other)
  return sum
}
