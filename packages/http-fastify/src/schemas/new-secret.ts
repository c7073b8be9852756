import { bounds } from '@sotto/core'
import { Type, type Static } from 'typebox'

/** No C0, DEL or C1 controls and no half of a surrogate pair. */
const noControls = '^[^\\p{Cc}\\p{Cs}]*$'
/** No NUL and no half of a surrogate pair. */
const noNul = '^[^\\u0000\\p{Cs}]*$'

export type NewSecretSchema = ReturnType<typeof newSecretSchema>
export type WireNewSecret = Static<NewSecretSchema>

/**
 * What creating a secret takes. Lengths count code points here; where the bound is one of bytes, the schema says as much of it as
 * code points can, and the core has the last word.
 */
export function newSecretSchema({ noteMaxBytes }: { readonly noteMaxBytes: number }) {
  return Type.Object(
    {
      label: Type.String({
        minLength: 1,
        maxLength: bounds.labelMaxCodePoints,
        pattern: noControls,
        description: `The title of the secret: 1 to ${bounds.labelMaxCodePoints} characters, no control characters.`,
        examples: ['Database, staging'],
      }),
      note: Type.String({
        minLength: 1,
        maxLength: noteMaxBytes,
        pattern: noNul,
        description:
          `The confidential text: 1 to ${noteMaxBytes} bytes of UTF-8, kept and delivered byte for byte. ` +
          'Lines are separated by the JSON escape `\\n`.',
        examples: ['user: app\npassword: correct horse battery staple'],
      }),
      folder_id: Type.String({
        format: 'uuid',
        description: 'The id of a folder of yours, from the list of folders.',
        examples: ['01936f2e-7c1a-7b32-9d55-0c8f4a1e2b3d'],
      }),
      open_limit: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: bounds.openLimitMax,
          default: 0,
          description: 'How often the link can be opened; 0 means without limit.',
          examples: [1],
        }),
      ),
      notify: Type.Optional(
        Type.Boolean({
          default: false,
          description: 'A wish to hear of opens. It is kept.',
          examples: [false],
        }),
      ),
      password: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: bounds.passwordMaxBytes,
          pattern: noNul,
          description:
            `Without it, whoever has the link can open it. 1 to ${bounds.passwordMaxBytes} bytes of UTF-8, ` +
            'compared after Unicode normalisation (NFC).',
          examples: ['correct horse'],
        }),
      ),
    },
    {
      additionalProperties: false,
      description: 'A secret to be kept. Unknown fields, `null` and other types are refused.',
    },
  )
}
