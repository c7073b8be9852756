import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'

/**
 * Holds when both are deeply and strictly equal. Byte arrays are compared by their bytes (a `Buffer` is one too), objects by their own
 * fields, whatever their prototype.
 */
export function same(actual: unknown, expected: unknown, message?: string): void {
  try {
    assert.deepEqual(comparable(actual), comparable(expected))
  } catch (error) {
    if (message !== undefined && error instanceof Error) error.message = `${message}\n${error.message}`
    throw error
  }
}

/** Holds when the list has exactly these ids in this order. */
export function sameIds(
  actual: readonly { readonly id: string }[],
  expected: readonly string[],
  message?: string,
): void {
  same(
    actual.map(({ id }) => id),
    expected,
    message,
  )
}

/** Bytes as text: in full up to 64, else their length and SHA-256. */
export function spelled(bytes: Uint8Array): string {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (view.length <= 64) return `bytes ${view.toString('hex')}`
  return `${String(view.length)} bytes, sha256 ${createHash('sha256').update(view).digest('hex')}`
}

function comparable(value: unknown): unknown {
  if (value instanceof Uint8Array) return spelled(value)
  if (Array.isArray(value)) return value.map(comparable)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, held]) => [key, comparable(held)]))
}
