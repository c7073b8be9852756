import type { IncomingMessage } from 'node:http'
import { readOpenRequest, type OpenRequest } from '@sotto/wire'
import { err, ok, type Result } from 'neverthrow'
import { fieldsProblem } from '../http/answers/problems-of-errors.ts'
import { problems, type Problem } from '../http/answers/problems.ts'
import { parseForm } from '../http/bodies/form.ts'
import { parseStrictJson } from '../http/bodies/strict-json.ts'
import { headerValues, isPlainForm, isPlainJson } from '../http/request/headers.ts'
import { linkProblems } from './link-problems.ts'

/** A password of 1,024 bytes takes at most six times as much in JSON and three times as much in a form. */
export const openRequestMaxBytes = 16 * 1024

/** How the body of a request that opens is read. `none`: no type is declared, so the body must be empty. */
export type BodyType = 'json' | 'form' | 'none'

/** The type that the headers declare for the body; `undefined` for one that is not accepted (415). */
export function bodyTypeOf(request: Pick<IncomingMessage, 'rawHeaders' | 'headers'>): BodyType | undefined {
  if (isPlainJson(request)) return 'json'
  if (isPlainForm(request)) return 'form'
  if (['content-type', 'content-encoding'].some((name) => headerValues(request, name).length > 0))
    return undefined
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
  const fields = type === 'form' ? parseForm(body).mapErr(() => linkProblems.badForm) : parseJsonObject(body)
  if (fields.isErr()) return err(fields.error)
  return readOpenRequest(type, fields.value).mapErr(fieldsProblem)
}

/** The fields of a JSON object, without duplicate names. */
export function parseJsonObject(
  body: Uint8Array,
): Result<readonly (readonly [name: string, value: unknown])[], Problem> {
  const parsed = parseStrictJson(body)
  if (parsed.isErr()) return err(parsed.error)
  const { value } = parsed
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return err(problems.noJsonObject)
  return ok(Object.entries(value))
}
