import { openTimesMax, type Cursor, type Uuid } from '@sotto/core'

/** A UUID as its 16 bytes. They sort like the text. */
export function uuidBytes(uuid: Uuid): Buffer {
  // Faster than to replace all dashes.
  const hex = uuid.slice(0, 8) + uuid.slice(9, 13) + uuid.slice(14, 18) + uuid.slice(19, 23) + uuid.slice(24)
  return Buffer.from(hex, 'hex')
}

/**
 * The UUID in a column of 16 bytes, read as `hex(column)`: for so few bytes a string is made several times as fast as a Buffer.
 * @param upper 32 hexadecimal digits in upper case
 */
export function uuidOf(upper: string): Uuid {
  const hex = upper.toLowerCase()
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** The UUID in a column of 16 bytes, read as bytes. */
export function uuidText(bytes: Uint8Array): Uuid {
  return uuidOf(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex'))
}

/** A place before every time and every id. */
const beginning: [number, Buffer] = [Number.MIN_SAFE_INTEGER, Buffer.alloc(0)]

/** The parameters of `(time, id) > (?, ?)`, by which an ascending list continues after a cursor. */
export function cursorOf(after: Cursor | undefined): [createdAt: number, id: Buffer] {
  return after === undefined ? beginning : [after.createdAtMicros, uuidBytes(after.id)]
}

/** A form's id, 32 hexadecimal digits, as its 16 bytes. */
export function formIdBytes(formId: string): Buffer {
  return Buffer.from(formId, 'hex')
}

const openTimeBytes = 8

/** One open time, as `secrets.open_times` holds it: 8 bytes, big-endian. */
export function openTimeOf(atMicros: number): Buffer {
  const bytes = Buffer.alloc(openTimeBytes)
  bytes.writeBigInt64BE(BigInt(atMicros))
  return bytes
}

/** All times in `secrets.open_times`, the latest last. */
export function openTimesOf(bytes: Buffer | null): readonly number[] {
  if (bytes === null) return []
  return Array.from({ length: Math.floor(bytes.length / openTimeBytes) }, (_, at) =>
    Number(bytes.readBigInt64BE(at * openTimeBytes)),
  )
}

/** `open_times` with another one at its end, the parameter of the expression, of which the latest remain. (`||` makes text of them.) */
export const withOpenTime = `substr(CAST(coalesce(open_times, x'') || ? AS BLOB), -${openTimesMax * openTimeBytes})`
