import type { Ciphertext } from '@sotto/core'

/** Bytes from a column that only ciphertexts are written to. */
export function ciphertextOf(bytes: Uint8Array): Ciphertext {
  return bytes as Ciphertext
}

/** A digest or a lookup as the key of a map. */
export function keyOf(lookup: Uint8Array): string {
  return Buffer.from(lookup.buffer, lookup.byteOffset, lookup.byteLength).toString('latin1')
}

/** How long one open time is in `secrets.open_times`: a big-endian number. */
export const openTimeBytes = 8

/** When a secret was opened, from the column `open_times`. */
export function openTimesOf(bytes: Uint8Array | null): readonly number[] {
  if (bytes === null) return []
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const count = Math.floor(bytes.byteLength / openTimeBytes)
  return Array.from({ length: count }, (_, at) => Number(view.getBigInt64(at * openTimeBytes)))
}

/** Open times, the latest last, as they are appended to the column `open_times`; `null` when there is none. */
export function openTimesBytes(timesMicros: readonly number[]): Uint8Array | null {
  if (timesMicros.length === 0) return null
  const bytes = Buffer.alloc(timesMicros.length * openTimeBytes)
  for (const [at, micros] of timesMicros.entries()) bytes.writeBigInt64BE(BigInt(micros), at * openTimeBytes)
  return bytes
}
