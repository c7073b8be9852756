import type { Bytes } from '../../src/index.ts'

/** Bytes 0, 1, 2, … of this length, each modulo 251. */
export function counted(length: number): Bytes {
  return Uint8Array.from({ length }, (_, at) => at % 251)
}

export function fromBase64url(text: string): Bytes {
  return new Uint8Array(Buffer.from(text, 'base64url'))
}

export function toBase64url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url')
}

/** A generator of numbers from 0 to 1 that gives the same ones for the same seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
