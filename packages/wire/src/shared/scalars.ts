import * as Type from 'typebox'
import type { TString } from 'typebox'

/*
 * Patterns as validators of all languages read them: without properties of Unicode and `\u`. Halves of surrogate pairs, which no text in UTF-8
 * has, are refused where JSON is read.
 */

/** No C0, DEL or C1 control characters. */
export const noControlCharacters = '^[^\\x00-\\x1f\\x7f-\\x9f]*$'
/** No NUL. */
export const noNul = '^[^\\x00]*$'

/** When the secret of all examples expires: 30 days after it was created. */
export const expiryExample = '2026-12-20T09:30:00.000000Z'

/** A time on the wire; see `isoMicros`. */
export function timestampSchema(description: string, example = '2026-11-20T09:30:00.000000Z'): TString {
  return Type.String({
    format: 'date-time',
    pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{6}Z$',
    description: `${description} ISO 8601, UTC, microseconds.`,
    examples: [example],
  })
}

/** An id on the wire. Without another example it is that of the folder in all examples. */
export function idSchema(description: string, example = '01936f2e-7c1a-7b32-9d55-0c8f4a1e2b3d'): TString {
  return Type.String({ format: 'uuid', description, examples: [example] })
}
