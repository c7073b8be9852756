import { requestKeyShape, type AnswerReceipt, type RequestPreview } from '@sotto/core'
import { err, ok, type Result } from 'neverthrow'
import * as Type from 'typebox'
import type { Static } from 'typebox'
import { missingMessage, type FieldMessages } from '../shared/field-messages.ts'
import { isoMicros } from '../shared/iso-micros.ts'
import { checkFormId, formIdPattern, readTexts, type CheckText } from '../shared/read-texts.ts'
import { expiryExample, noNul, timestampSchema } from '../shared/scalars.ts'

const note = Type.String({
  minLength: 1,
  pattern: noNul,
  description: 'The text that is handed in. Its largest size in bytes of UTF-8 is a setting of the service.',
  examples: ['admin / correct horse battery staple'],
})

/** What whoever has the link of a request may know. */
export const requestPreviewSchema = Type.Object(
  {
    from: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'The name that the one who asks has chosen; `null` without one. Nobody has verified it.',
      examples: ['Ada, IT'],
    }),
    title: Type.String({ description: 'What is asked for.', examples: ['Password of your router'] }),
    text: Type.String({ description: 'More about it; may be empty.', examples: ['It is on the back.'] }),
    closes_at: timestampSchema('Until when the request can be answered.', expiryExample),
    takes_files: Type.Boolean({ description: 'Whether an answer may have files.', examples: [true] }),
    key: Type.Optional(
      Type.String({
        pattern: requestKeyShape.source,
        description:
          'Only of a request whose answers are encrypted: the point of P-256 with which they are, in base64url. `note` has to be a sealed ' +
          'answer then. What authenticates its sender is in the fragment of the link.',
        examples: ['BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4'],
      }),
    ),
  },
  { additionalProperties: false, description: 'What whoever has the link of a request may know.' },
)

/** What answers a request, as JSON. */
export const answerSchema = Type.Object(
  { note },
  { additionalProperties: false, description: 'What answers a request, as JSON.' },
)

/** What answers a request, as the form of its page. */
export const answerFormSchema = Type.Object(
  {
    note,
    form_id: Type.Optional(
      Type.String({
        pattern: formIdPattern,
        description: 'The id of the form. A form that is sent again adds nothing, and gets the same answer.',
        examples: ['3f2a9c0d5b7e41868a1cf0e2d4b69573'],
      }),
    ),
  },
  { additionalProperties: false, description: 'What answers a request, as the form of its page.' },
)

/** The receipt of an answer. */
export const answerReceiptSchema = Type.Object(
  { received_at: timestampSchema('When it was received.') },
  { additionalProperties: false, description: 'That an answer was handed in. It cannot be read here.' },
)

/** What whoever has the link of a request may know, on the wire. */
export type WireRequestPreview = Static<typeof requestPreviewSchema>

/** The receipt of an answer, on the wire. */
export type WireAnswerReceipt = Static<typeof answerReceiptSchema>

/** The names that the fields of an answer have on the wire. */
export const answerNames = { note: 'note', formId: 'form_id' } as const satisfies Record<
  keyof AnswerFields,
  keyof Static<typeof answerFormSchema>
>

/** The part of `multipart/form-data` that has the answer as JSON. The parts `file` come after it. */
export const answerPartName = 'answer'

/** What somebody sends to answer a request. The core checks the note. */
export interface AnswerFields {
  readonly note: string
  /** 32 lower-case hexadecimal digits. */
  readonly formId: string | undefined
}

/** The answer before a request is answered. */
export function toWireRequestPreview({
  from,
  title,
  text,
  closesAtMicros,
  fileMaxBytes,
  key,
}: RequestPreview): WireRequestPreview {
  return {
    from: from ?? null,
    title,
    text,
    closes_at: isoMicros(closesAtMicros),
    takes_files: fileMaxBytes !== undefined,
    ...(key !== undefined && { key }),
  }
}

/** The answer once a text was handed in. */
export function toWireAnswerReceipt({ receivedAtMicros }: AnswerReceipt): WireAnswerReceipt {
  return { received_at: isoMicros(receivedAtMicros) }
}

/** The document of `answer`. */
export function toWireAnswered({ receivedAt }: { readonly receivedAt: string }): WireAnswerReceipt {
  return { received_at: receivedAt }
}

/**
 * Reads the fields of an answer, each of which comes once.
 * @param options `mayLackNote`: whether an answer without a note is one with an empty note, as it is beside files
 * @returns an Err with the messages for all invalid fields; it is empty when only fields are unknown that an answer must not name
 */
export function readAnswer(
  type: 'json' | 'form',
  fields: Iterable<readonly [name: string, value: unknown]>,
  { mayLackNote = false } = {},
): Result<AnswerFields, FieldMessages> {
  const known = { note: anyText, ...(type === 'form' && { form_id: checkFormId }) }
  return readTexts(known, fields).andThen(({ note: text, form_id: formId }) =>
    text === undefined && !mayLackNote
      ? err({ [answerNames.note]: [missingMessage] })
      : ok({ note: text ?? '', formId }),
  )
}

const anyText: CheckText = () => []
