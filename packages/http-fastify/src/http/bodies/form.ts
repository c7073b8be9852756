import { err, ok, type Result } from 'neverthrow'

/** The fields of a form in their order. No name is there twice. */
export type FormFields = readonly (readonly [name: string, value: string])[]

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The most fields of a form: more, empty ones included, than one has that does not list many things. */
export const fieldsMax = 32
const ampersand = 0x26
const equals = 0x3d
const plus = 0x2b
const percent = 0x25
const space = 0x20

/**
 * Parses `application/x-www-form-urlencoded` (URL Standard, section 5.1), but refuses what the standard repairs: percent signs that
 * begin no octet, octets that are not UTF-8, and duplicate names. More fields than `max` are refused before any is decoded.
 */
export function parseForm(body: Uint8Array, max = fieldsMax): Result<FormFields, 'bad_form'> {
  const parts = partsOf(body, max)
  if (parts === undefined) return err('bad_form')
  const fields = new Map<string, string>()
  for (const part of parts) {
    if (part.length === 0) continue
    const found = part.indexOf(equals)
    const split = found === -1 ? part.length : found
    const name = formText(part.subarray(0, split))
    const value = formText(part.subarray(split + 1))
    if (name === undefined || value === undefined || fields.has(name)) return err('bad_form')
    fields.set(name, value)
  }
  return ok([...fields])
}

function partsOf(body: Uint8Array, max: number): Uint8Array[] | undefined {
  const parts: Uint8Array[] = []
  for (let start = 0; start <= body.length;) {
    if (parts.length === max) return undefined
    const found = body.indexOf(ampersand, start)
    const end = found === -1 ? body.length : found
    parts.push(body.subarray(start, end))
    start = end + 1
  }
  return parts
}

/** A loop over octets, because a regular expression with a callback for each escape takes 40 times as long. */
function formText(encoded: Uint8Array): string | undefined {
  const octets = new Uint8Array(encoded.length)
  let length = 0
  for (let at = 0; at < encoded.length; at += 1) {
    let octet = encoded[at] ?? 0
    if (octet === plus) octet = space
    else if (octet === percent) {
      octet = 16 * hexDigit(encoded[at + 1]) + hexDigit(encoded[at + 2])
      if (Number.isNaN(octet)) return undefined
      at += 2
    }
    octets[length] = octet
    length += 1
  }
  try {
    return utf8.decode(octets.subarray(0, length))
  } catch {
    return undefined
  }
}

/** The value of an ASCII hex digit; NaN for any other octet, and without one. */
function hexDigit(octet = 0): number {
  if (octet >= 0x30 && octet <= 0x39) return octet - 0x30
  const lowerCase = octet | 0x20
  return lowerCase >= 0x61 && lowerCase <= 0x66 ? lowerCase - 0x57 : Number.NaN
}

/** Browsers send each line break of a text area as CR LF (HTML, “constructing the entry list”); people mean a line feed. */
export function withoutCarriageReturns(text: string): string {
  return text.replaceAll('\r\n', '\n')
}
