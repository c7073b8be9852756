import { readOpenRequest, type OpenRequest } from '@sotto/wire'
import { err, ok, type Result } from 'neverthrow'
import { fieldsProblem } from '../http/answers/problems-of-errors.ts'
import type { Problem } from '../http/answers/problems.ts'
import { fieldsOf, type BodyType } from '../link/link-body.ts'
import { openProblems } from './open-problems.ts'

/** A password of 1,024 bytes takes at most six times as much in JSON and three times as much in a form. */
export const openRequestMaxBytes = 16 * 1024

/**
 * Reads the body of a request that opens. An empty body means no password. As strict as the API: unknown and duplicate fields, other
 * types, invalid UTF-8, NUL and lone surrogates are refused.
 */
export function readOpenRequestBody(
  type: BodyType | undefined,
  body: Uint8Array,
): Result<OpenRequest, Problem> {
  if (body.length === 0) return ok({ password: undefined, proof: undefined, formId: undefined })
  if (type === undefined || type === 'none') return err(openProblems.mediaType)
  const fields = fieldsOf(type, body)
  if (fields.isErr()) return err(fields.error)
  return readOpenRequest(type, fields.value).mapErr(fieldsProblem)
}
