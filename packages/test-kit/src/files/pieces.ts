import assert from 'node:assert/strict'
import type { Pieces } from '@sotto/core'
import { ok, type Result } from 'neverthrow'
import { expectOk } from '../contract/expect.ts'

/** Bytes that differ from each other, and from those of other lengths. */
export function bytesOf(length: number): Uint8Array {
  const bytes = new Uint8Array(length)
  for (let at = 0; at < length; at += 1) bytes[at] = (at * 31 + length + (at >> 8)) & 255
  return bytes
}

/** The bytes as they arrive, in pieces of this length. */
export async function* inPieces(
  bytes: Uint8Array,
  length: number,
): AsyncGenerator<Result<Uint8Array, never>, void> {
  for (let at = 0; at < bytes.length; at += length)
    yield await Promise.resolve(ok(bytes.subarray(at, at + length)))
}

/** All pieces as one; throws when they end with an error. */
export async function joined(pieces: Pieces<unknown>): Promise<Uint8Array> {
  const all: Uint8Array[] = []
  for await (const piece of pieces) all.push(expectOk(piece))
  const bytes = new Uint8Array(all.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of all) {
    bytes.set(piece, at)
    at += piece.length
  }
  return bytes
}

/** Compares without showing the difference: making one of so many bytes takes more memory than there is. */
export function sameBytes(actual: Uint8Array, expected: Uint8Array, what?: string): void {
  assert.ok(
    Buffer.compare(actual, expected) === 0,
    what ?? `${actual.length} bytes, ${expected.length} expected`,
  )
}

/** The error that ends the pieces; `undefined` when they end without one. */
export async function errorOf<E>(pieces: Pieces<E>): Promise<E | undefined> {
  for await (const piece of pieces) if (piece.isErr()) return piece.error
  return undefined
}
