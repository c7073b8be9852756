import { hexOf } from './hex.ts'

/** A UUID in its lower-case textual form (RFC 9562, section 4). */
export type Uuid = string

/** The nil UUID (RFC 9562, section 5.9). No row ever has it, so looking it up takes as long as any other miss. */
export const nilUuid: Uuid = '00000000-0000-0000-0000-000000000000'

const uuidShape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Reads a UUID in either case; `undefined` when the text is not a UUID. */
export function parseUuid(text: string): Uuid | undefined {
  return uuidShape.test(text) ? text.toLowerCase() : undefined
}

/**
 * The id to look a row up by, as the caller wrote it. A malformed one becomes {@link nilUuid}, so that it takes the same path as an
 * unknown one.
 */
export function uuidToFind(text: string): Uuid {
  return parseUuid(text) ?? nilUuid
}

/** Random bytes that one UUID of version 7 needs. */
export const uuidV7RandomBytes = 8

/**
 * UUID version 7 (RFC 9562, section 5.7) with sub-millisecond order (section 6.2, method 3): 48 bits of milliseconds,
 * the fraction of the millisecond in `rand_a`, 62 random bits.
 *
 * @param nowMicros microseconds since the Unix epoch
 * @param random {@link uuidV7RandomBytes} random bytes
 */
export function uuidV7(nowMicros: number, random: Uint8Array): Uuid {
  if (random.length !== uuidV7RandomBytes)
    throw new TypeError(`uuidV7 needs ${String(uuidV7RandomBytes)} random bytes`)
  const millis = Math.floor(nowMicros / 1000)
  const fraction = Math.floor(((nowMicros - millis * 1000) * 4096) / 1000)
  const tail = hexOf(random)
  const variant = (8 + ((random[0] ?? 0) >> 6)).toString(16)
  const time = millis.toString(16).padStart(12, '0')
  return (
    `${time.slice(0, 8)}-${time.slice(8)}-7${fraction.toString(16).padStart(3, '0')}` +
    `-${variant}${tail.slice(1, 4)}-${tail.slice(4)}`
  )
}
