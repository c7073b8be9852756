import type { IncomingMessage } from 'node:http'
import { bounds, hasLoneSurrogate, utf8ByteLength, type FaultRule } from '@sotto/core'
import { err, ok, type Result } from 'neverthrow'
import { faultsByField, fieldsRefusal } from '../error-answers.ts'
import { headerValues } from '../header-values.ts'
import { isPlainJson } from '../media-type.ts'
import { refusals, type Refusal } from '../refusals.ts'
import { parseStrictJson } from '../strict-json.ts'

/** A password takes at most sixfold room in JSON, threefold in a form; a larger body is refused unread. */
export const openRequestMaxBytes = 16 * 1024

/** How the body of a request that opens is to be read; `none` when nothing is declared, so that there must not be any. */
export type BodyType = 'json' | 'form' | 'none'

/** What a recipient sends along. */
export interface OpenRequest {
  readonly password: string | undefined
  readonly formId: string | undefined
}

/** Fields by their names on the wire, with what was sent for them. */
type Fields = readonly (readonly [name: string, value: unknown])[]

const knownFields: Readonly<Partial<Record<BodyType, readonly string[]>>> = {
  json: ['password'],
  form: ['password', 'form_id'],
}

export const mediaTypeRefusal: Refusal = {
  status: 415,
  message:
    'The body must be empty, or sent as Content-Type: application/json or application/x-www-form-urlencoded in UTF-8, without a Content-Encoding.',
}

const badForm: Refusal = { status: 400, message: 'The body is not a valid form.' }
const formType = /^application\/x-www-form-urlencoded[ \t]*(?:;[ \t]*charset=(?:utf-8|"utf-8")[ \t]*)?$/i
/** Names of unknown fields that may be repeated to the sender; any other could carry what was confided. */
const namable = /^[a-z_]{1,32}$/
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The type that the headers declare for the body; `undefined` for one that is not read here (415). */
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
 * Reads what a recipient sends to open a link. An empty body means no password, and so does the empty field of a form.
 * Strict like the API: an unknown or repeated field, another type, invalid UTF-8, NUL and lone surrogates are refused.
 */
export function readOpenRequest(type: BodyType | undefined, body: Uint8Array): Result<OpenRequest, Refusal> {
  if (body.length === 0) return ok({ password: undefined, formId: undefined })
  if (type === undefined || type === 'none') return err(mediaTypeRefusal)
  const read = type === 'form' ? parseForm(body) : parseJsonObject(body)
  if (read.isErr()) return err(read.error)
  const fields = new Map(
    read.value.filter(([name, value]) => !(type === 'form' && name === 'password' && value === '')),
  )
  const faults = [...fields].flatMap(([name, value]) => {
    if (knownFields[type]?.includes(name)) return faultOf(name, value)
    return [[name, ['is not a known field']] as const]
  })
  if (faults.length > 0)
    return err(fieldsRefusal(Object.fromEntries(faults.filter(([name]) => namable.test(name)))))
  return ok({ password: textOf(fields.get('password')), formId: textOf(fields.get('form_id')) })
}

function parseJsonObject(body: Uint8Array): Result<Fields, Refusal> {
  const parsed = parseStrictJson(body)
  if (parsed.isErr()) return err(refusals.badJson)
  const { value } = parsed
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return err(refusals.noJsonObject)
  return ok(Object.entries(value))
}

/**
 * Reads `application/x-www-form-urlencoded` as the URL Standard (section 5.1) says, but refuses what it would guess at: percent
 * signs that begin no octet, octets that are not UTF-8, and a name that comes twice.
 */
function parseForm(body: Uint8Array): Result<Fields, Refusal> {
  const fields = new Map<string, string>()
  for (const part of Buffer.from(body).toString('latin1').split('&')) {
    if (part === '') continue
    const split = part.includes('=') ? part.indexOf('=') : part.length
    const name = formText(part.slice(0, split))
    const value = formText(part.slice(split + 1))
    if (name === undefined || value === undefined || fields.has(name)) return err(badForm)
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

function faultOf(name: string, value: unknown): (readonly [string, readonly string[]])[] {
  if (typeof value !== 'string') return [[name, ['must be a string']]]
  if (name === 'form_id') return /^[0-9a-f]{32}$/.test(value) ? [] : [[name, ['is not the id of a form']]]
  const rule = passwordFault(value)
  if (rule === undefined) return []
  return Object.entries(faultsByField([{ field: name, rule, limit: bounds.passwordMaxBytes }]))
}

/** The bounds of every password, so one that breaks them cannot be the right one. */
function passwordFault(password: string): FaultRule | undefined {
  if (password === '') return 'empty'
  if (hasLoneSurrogate(password)) return 'lone_surrogate'
  if (password.includes('\0')) return 'nul_character'
  return utf8ByteLength(password) > bounds.passwordMaxBytes ? 'too_long' : undefined
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
