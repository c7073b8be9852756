import * as Type from 'typebox'
import { apiVersion, versionSchema } from './envelope.ts'
import { reportableName, type FieldMessages } from './field-messages.ts'

/** Every answer that is no success. It never repeats what was sent. */
export const problemSchema = Type.Object(
  {
    success: Type.Literal(false),
    version: versionSchema,
    message: Type.String({
      description: 'What is wrong, for people. May change.',
      examples: ['Some fields are not valid.'],
    }),
    errors: Type.Optional(
      Type.Record(Type.String({ pattern: reportableName }), Type.Array(Type.String(), { minItems: 1 }), {
        additionalProperties: false,
        description: 'Every invalid field and what is wrong with it.',
        examples: [{ label: ['is required'], open_limit: ['must be a whole number'] }],
      }),
    ),
  },
  { additionalProperties: false, description: 'A problem. It never repeats what was sent.' },
)

/** What a problem says beside `success` and `version`. */
export interface ProblemBody {
  /** What is wrong, for people. */
  readonly message: string
  /** What is wrong with fields; only when some are invalid. */
  readonly errors?: FieldMessages | undefined
}

/** The body of an answer that is a problem. */
export function problemText({ message, errors }: ProblemBody): string {
  return JSON.stringify({ success: false, version: apiVersion, message, errors })
}
