import { Type, type TSchema } from 'typebox'

/** The version that every answer names. */
export const apiVersion = '1.0'

const version = Type.Literal(apiVersion, { description: 'The version of the API.' })

/** What surrounds the data of every successful answer. */
export function envelopeSchema<Data extends TSchema>(data: Data) {
  return Type.Object({ success: Type.Literal(true), version, data }, { additionalProperties: false })
}

export const errorSchema = Type.Object(
  {
    success: Type.Literal(false),
    version,
    message: Type.String({
      description: 'What is wrong, for people. May change.',
      examples: ['Some fields are not valid.'],
    }),
    errors: Type.Optional(
      Type.Record(Type.String({ pattern: '^[a-z_]{1,32}$' }), Type.Array(Type.String(), { minItems: 1 }), {
        description: 'Every field at fault and what is wrong with it.',
        examples: [{ label: ['is required'], open_limit: ['must be a whole number'] }],
      }),
    ),
  },
  { additionalProperties: false, description: 'An error. It never repeats what was sent.' },
)
