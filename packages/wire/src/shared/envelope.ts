import * as Type from 'typebox'
import type { TSchema } from 'typebox'

/** The version that every answer names. */
export const apiVersion = '1.0'

export const versionSchema = Type.Literal(apiVersion, { description: 'The version of the API.' })

/** What surrounds the data of every successful answer. */
export function envelopeSchema<Data extends TSchema>(data: Data) {
  return Type.Object(
    { success: Type.Literal(true), version: versionSchema, data },
    { additionalProperties: false },
  )
}

/** The text before and after the data of a successful answer, for answers that are sent in parts. */
export const envelopeStart = `{"success":true,"version":"${apiVersion}","data":`

/** See {@link envelopeStart}. */
export const envelopeEnd = '}'

/** The body of a successful answer. */
export function envelopeText(data: unknown): string {
  return envelopeStart + JSON.stringify(data) + envelopeEnd
}
