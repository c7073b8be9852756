import type { IncomingMessage } from 'node:http'
import { err, ok, type Result } from 'neverthrow'
import { problems, type Problem } from '../http/answers/problems.ts'
import { parseForm } from '../http/bodies/form.ts'
import { parseStrictJson } from '../http/bodies/strict-json.ts'
import { isPlainForm, isPlainJson } from '../http/request/headers.ts'

/** The problem of a body that is declared as a form and is none. */
export const badForm: Problem = { status: 400, message: 'The body is not a valid form.' }

/** How the body of a POST is read. `none`: no type is declared, so the body must be empty. */
export type BodyType = 'json' | 'form' | 'none'

/** The type that the headers declare for the body; `undefined` for one that is not accepted (415). */
export function bodyTypeOf(request: Pick<IncomingMessage, 'rawHeaders' | 'headers'>): BodyType | undefined {
  const { 'content-type': type, 'content-encoding': coding, 'content-length': length = '0' } = request.headers
  if (type === undefined && coding === undefined) return length === '0' ? 'none' : undefined
  if (isPlainJson(request)) return 'json'
  return isPlainForm(request) ? 'form' : undefined
}

/** The fields of a body, as strictly as the API reads its own: without duplicate names, invalid UTF-8, NUL and lone surrogates. */
export function fieldsOf(
  type: 'json' | 'form',
  body: Uint8Array,
): Result<Iterable<readonly [name: string, value: unknown]>, Problem> {
  return type === 'form' ? parseForm(body).mapErr(() => badForm) : parseJsonObject(body)
}

/** The fields of a JSON object, without duplicate names. */
function parseJsonObject(
  body: Uint8Array,
): Result<readonly (readonly [name: string, value: unknown])[], Problem> {
  const parsed = parseStrictJson(body)
  if (parsed.isErr()) return err(parsed.error)
  const { value } = parsed
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return err(problems.noJsonObject)
  return ok(Object.entries(value))
}
