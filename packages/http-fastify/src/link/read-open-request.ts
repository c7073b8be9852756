import type { IncomingMessage } from 'node:http'
import { readOpenRequest, type OpenRequest } from '@sotto/wire'
import { err, ok, type Result } from 'neverthrow'
import { headerValues } from '../http/header-values.ts'
import { isPlainJson } from '../http/media-type.ts'
import { fieldsProblem } from '../http/problems-of-errors.ts'
import { problems, type Problem } from '../http/problems.ts'
import { parseStrictJson } from '../http/strict-json.ts'
import { linkProblems } from './link-problems.ts'

/** A password of 1,024 bytes takes at most six times as much in JSON and three times as much in a form. */
export const openRequestMaxBytes = 16 * 1024

/** How the body of a request that opens is read. `none`: no type is declared, so the body must be empty. */
export type BodyType = 'json' | 'form' | 'none'

/** The fields of a body by their names on the wire. */
type Fields = readonly (readonly [name: string, value: unknown])[]

const formType = /^application\/x-www-form-urlencoded[ \t]*(?:;[ \t]*charset=(?:utf-8|"utf-8")[ \t]*)?$/i
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The type that the headers declare for the body; `undefined` for one that is not accepted (415). */
export function bodyTypeOf(request: Pick<IncomingMessage, 'rawHeaders' | 'headers'>): BodyType | undefined {
  if (isPlainJson(request)) return 'json'
  const encoded = headerValues(request, 'content-encoding').length > 0
  const [type, ...others] = headerValues(request, 'content-type')
  if (encoded || others.length > 0) return undefined
  if (type !== undefined) return formType.test(type) ? 'form' : undefined
  const { 'content-length': length = '0' } = request.headers
  return length === '0' ? 'none' : undefined
}

/**
 * Reads the body of a request that opens. An empty body means no password. As strict as the API: unknown and duplicate fields, other
 * types, invalid UTF-8, NUL and lone surrogates are refused.
 */
export function readOpenRequestBody(
  type: BodyType | undefined,
  body: Uint8Array,
): Result<OpenRequest, Problem> {
  if (body.length === 0) return ok({ password: undefined, formId: undefined })
  if (type === undefined || type === 'none') return err(linkProblems.mediaType)
  const fields = type === 'form' ? parseForm(body) : parseJsonObject(body)
  if (fields.isErr()) return err(fields.error)
  return readOpenRequest(type, fields.value).mapErr(fieldsProblem)
}

function parseJsonObject(body: Uint8Array): Result<Fields, Problem> {
  const parsed = parseStrictJson(body)
  if (parsed.isErr()) return err(problems.badJson)
  const { value } = parsed
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return err(problems.noJsonObject)
  return ok(Object.entries(value))
}

/**
 * Parses `application/x-www-form-urlencoded` (URL Standard, section 5.1), but refuses what the standard repairs: percent signs that
 * begin no octet, octets that are not UTF-8, and duplicate names.
 */
function parseForm(body: Uint8Array): Result<Fields, Problem> {
  const fields = new Map<string, string>()
  for (const part of Buffer.from(body).toString('latin1').split('&')) {
    if (part === '') continue
    const split = part.includes('=') ? part.indexOf('=') : part.length
    const name = formText(part.slice(0, split))
    const value = formText(part.slice(split + 1))
    if (name === undefined || value === undefined || fields.has(name)) return err(linkProblems.badForm)
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
