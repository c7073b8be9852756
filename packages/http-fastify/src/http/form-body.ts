import type { IncomingMessage } from 'node:http'
import { err, ok, type Result } from 'neverthrow'
import { headerValues } from './header-values.ts'

/** The fields of a form in their order. No name is there twice. */
export type FormFields = readonly (readonly [name: string, value: string])[]

const formType = /^application\/x-www-form-urlencoded[ \t]*(?:;[ \t]*charset=(?:utf-8|"utf-8")[ \t]*)?$/i
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Whether the headers declare the body as an uncompressed form in UTF-8, as a browser sends it unless a page asks for another type. */
export function isPlainForm(request: Pick<IncomingMessage, 'rawHeaders'>): boolean {
  const [type, ...others] = headerValues(request, 'content-type')
  if (type === undefined || others.length > 0) return false
  return headerValues(request, 'content-encoding').length === 0 && formType.test(type)
}

/**
 * Parses `application/x-www-form-urlencoded` (URL Standard, section 5.1), but refuses what the standard repairs: percent signs that
 * begin no octet, octets that are not UTF-8, and duplicate names.
 */
export function parseForm(body: Uint8Array): Result<FormFields, 'bad_form'> {
  const fields = new Map<string, string>()
  for (const part of Buffer.from(body).toString('latin1').split('&')) {
    if (part === '') continue
    const split = part.includes('=') ? part.indexOf('=') : part.length
    const name = formText(part.slice(0, split))
    const value = formText(part.slice(split + 1))
    if (name === undefined || value === undefined || fields.has(name)) return err('bad_form')
    fields.set(name, value)
  }
  return ok([...fields])
}

/** @param encoded one character for each octet */
function formText(encoded: string): string | undefined {
  if (/%(?![0-9a-f]{2})/i.test(encoded)) return undefined
  const octets = encoded
    .replaceAll('+', ' ')
    .replace(/%(..)/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))
  try {
    return utf8.decode(Buffer.from(octets, 'latin1'))
  } catch {
    return undefined
  }
}
