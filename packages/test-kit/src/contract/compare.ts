import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'

/**
 * Holds when both are deeply and strictly equal. Byte arrays are compared by their bytes (a `Buffer` is one too), objects by their own
 * fields, whatever their prototype. Lists of rows are compared by their ids first, and then row by row, so that a failure shows ids
 * or one row rather than the bytes of all.
 */
export function same(actual: unknown, expected: unknown, message?: string): void {
  const [ids, expectedIds] = [idsOf(actual), idsOf(expected)]
  if (ids === undefined || expectedIds === undefined) {
    equal(actual, expected, message)
    return
  }
  equal(ids, expectedIds, withLine(message, 'the ids'))
  const rows = expected as readonly unknown[]
  for (const [at, row] of (actual as readonly unknown[]).entries())
    equal(row, rows[at], withLine(message, `the row ${ids[at] ?? ''}`))
}

/** Holds when the list has exactly these ids in this order. */
export function sameIds(
  actual: readonly { readonly id: string }[],
  expected: readonly string[],
  message?: string,
): void {
  equal(
    actual.map(({ id }) => id),
    expected,
    message,
  )
}

function equal(actual: unknown, expected: unknown, message: string | undefined): void {
  try {
    assert.deepEqual(comparable(actual), comparable(expected))
  } catch (error) {
    if (message !== undefined && error instanceof Error) error.message = `${message}\n${error.message}`
    throw error
  }
}

/** The ids of a list of rows; `undefined` for anything else. */
function idsOf(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value)) return undefined
  const ids = value.map((row: { readonly id?: unknown } | null | undefined) => row?.id)
  return ids.every((id) => typeof id === 'string') ? ids : undefined
}

function withLine(message: string | undefined, line: string): string {
  return message === undefined ? line : `${message}: ${line}`
}

/** Bytes as text: in full up to 64, else their length and SHA-256. */
export function spelled(bytes: Uint8Array): string {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (view.length <= 64) return `bytes ${view.toString('hex')}`
  return `${String(view.length)} bytes, sha256 ${createHash('sha256').update(view).digest('hex')}`
}

/** A value of which bytes are texts and objects have no prototype. */
export function comparable(value: unknown): unknown {
  if (value instanceof Uint8Array) return spelled(value)
  if (Array.isArray(value)) return value.map(comparable)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, held]) => [key, comparable(held)]))
}
