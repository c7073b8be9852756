import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import type { Result, ResultAsync } from 'neverthrow'

/** The value of an answer that has to be Ok. */
export async function okOf<T, E>(answer: ResultAsync<T, E>, message?: string): Promise<T> {
  return valueOf(await answer, message)
}

/** The value of a result that has to be Ok. */
export function valueOf<T, E>(result: Result<T, E>, message = 'the answer'): T {
  if (result.isErr()) assert.fail(`${message} should be Ok, but is Err ${JSON.stringify(result.error)}`)
  return result.value
}

/** Holds when the answer is an Err with one of these codes. */
export async function failsWith<E extends { readonly code: string }>(
  answer: ResultAsync<unknown, E>,
  ...codes: readonly [E['code'], ...E['code'][]]
): Promise<void> {
  const result = await answer
  if (result.isOk()) assert.fail(`the answer should be Err ${codes.join(' or ')}, but is Ok`)
  assert.ok(
    codes.includes(result.error.code),
    `the answer should be Err ${codes.join(' or ')}, but is Err ${JSON.stringify(result.error)}`,
  )
}

/**
 * Holds when both are deeply equal, to the byte and the key. Byte arrays are compared by their bytes (a `Buffer` is one), rows
 * by their fields, whatever their prototype.
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

/** A short, stable spelling of bytes: whole when they are few, else their length and SHA-256. */
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
