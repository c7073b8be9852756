import { bounds, passwordError, type LinkPreview, type OpenedSecret } from '@sotto/core'
import type { Result } from 'neverthrow'
import * as Type from 'typebox'
import type { Static } from 'typebox'
import { fileExample, fileUrl, openedFileSchema } from '../files/file.ts'
import { fieldMessages, type FieldMessages } from '../shared/field-messages.ts'
import { isoMicros } from '../shared/iso-micros.ts'
import { proofShape, sealedSchema } from '../sealed/sealed.ts'
import { checkFormId, formIdPattern, readTexts, type CheckText } from '../shared/read-texts.ts'
import { expiryExample, noNul, timestampSchema } from '../shared/scalars.ts'

const expiresAt = timestampSchema('When the secret expires.', expiryExample)
const proofExample = '2jRM7SaoYIMez_tc_dRhoG_w-8eftAF4eU99ovALkkM'
const passwordBounds = { maxLength: bounds.passwordMaxBytes, pattern: noNul, examples: ['correct horse'] }

/** What anybody who has the link may know before opening it. */
export const linkPreviewSchema = Type.Object(
  {
    password_required: Type.Boolean({ description: 'Whether opening takes a password.', examples: [true] }),
    expires_at: expiresAt,
    sealed: sealedSchema('Opening it takes a proof of the key in the fragment of its link.'),
  },
  { additionalProperties: false, description: 'What anybody who has the link may know before opening it.' },
)

/** What opens a link, as JSON: a password, where the link asks for one. */
export const openRequestSchema = Type.Object(
  {
    password: Type.Optional(
      Type.String({
        ...passwordBounds,
        minLength: 1,
        description: `1 to ${bounds.passwordMaxBytes} bytes of UTF-8. Ignored when the link asks for none.`,
      }),
    ),
    proof: Type.Optional(
      Type.String({
        pattern: proofShape.source,
        examples: [proofExample],
        description:
          'Proves to have the key of a sealed secret: base64url of HKDF-SHA-256 of the key in the fragment of the link, with the info ' +
          '"sotto/sealed/1/proof", 32 bytes. Without it, or with another, nothing is opened and nothing is counted. Ignored for other secrets.',
      }),
    ),
  },
  { additionalProperties: false, description: 'What opens a link, as JSON.' },
)

/** What opens a link, as the form of its page: a password, and the id of the form. */
export const openFormSchema = Type.Object(
  {
    password: Type.Optional(
      Type.String({ ...passwordBounds, description: 'As in JSON; an empty field means no password.' }),
    ),
    proof: Type.Optional(
      Type.String({
        pattern: `^(${proofShape.source.slice(1, -1)})?$`,
        examples: [proofExample],
        description: 'As in JSON; an empty field means no proof.',
      }),
    ),
    form_id: Type.Optional(
      Type.String({
        pattern: formIdPattern,
        description:
          'The id of the form. A form opens once: sending it again is a 409, so that reloading a page spends no open.',
        examples: ['3f2a9c0d5b7e41868a1cf0e2d4b69573'],
      }),
    ),
  },
  { additionalProperties: false, description: 'What opens a link, as the form of its page.' },
)

/** An opened secret: label, note, the opens that are left, when it expires, and its files. */
export const openedSecretSchema = Type.Object(
  {
    label: Type.String({ description: 'The title of the secret.', examples: ['Database, staging'] }),
    note: Type.String({
      description: 'The confidential text, exactly as it was stored.',
      examples: ['user: app\npassword: correct horse battery staple'],
    }),
    opens_left: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      minimum: 0,
      description: 'How often the link can be opened from now on; `null` means without limit.',
      examples: [0],
    }),
    expires_at: expiresAt,
    sealed: sealedSchema('The note and the files are encrypted; the key is in the fragment of the link.'),
    files: Type.Optional(
      Type.Array(openedFileSchema, {
        minItems: 1,
        description: 'Its files. Absent when it has none.',
        examples: [[fileExample]],
      }),
    ),
  },
  { additionalProperties: false, description: 'An opened secret.' },
)

/** What anybody who has the link may know before opening it, on the wire. */
export type WireLinkPreview = Static<typeof linkPreviewSchema>

/** An opened secret on the wire. */
export type WireOpenedSecret = Static<typeof openedSecretSchema>

/** The names that the fields of an open have on the wire. */
export const openNames = {
  password: 'password',
  proof: 'proof',
  formId: 'form_id',
} as const satisfies Record<keyof OpenRequest, keyof Static<typeof openFormSchema>>

/** What a recipient sends to open a link. */
export interface OpenRequest {
  readonly password: string | undefined
  /** 43 characters of base64url. */
  readonly proof: string | undefined
  /** 32 lower-case hexadecimal digits. */
  readonly formId: string | undefined
}

/** The answer before a link is opened. */
export function toWireLinkPreview({
  passwordRequired,
  expiresAtMicros,
  sealed,
}: LinkPreview): WireLinkPreview {
  const preview = { password_required: passwordRequired, expires_at: isoMicros(expiresAtMicros) }
  return sealed === undefined ? preview : { ...preview, sealed }
}

/**
 * The answer with the note.
 * @param linkBaseUrl the bare origin on which links are opened, without a slash at its end
 */
export function toWireOpenedSecret(secret: OpenedSecret, linkBaseUrl: string): WireOpenedSecret {
  const { label, note, opensLeft, expiresAtMicros, sealed, attached } = secret
  const opened = {
    ...{ label, note, opens_left: opensLeft ?? null, expires_at: isoMicros(expiresAtMicros) },
    ...(sealed && { sealed }),
  }
  if (attached === undefined) return opened
  const files = attached.files.map(({ name, size, type }, at) => ({
    name,
    size,
    type,
    url: fileUrl(linkBaseUrl, attached.ticket, at + 1),
  }))
  return { ...opened, files }
}

/**
 * Reads the fields of an open, each of which comes once. An empty password or proof in a form is none.
 * @returns an Err with the messages for all invalid fields; it is empty when only fields are unknown that an answer must not name
 */
export function readOpenRequest(
  type: 'json' | 'form',
  fields: Iterable<readonly [name: string, value: unknown]>,
): Result<OpenRequest, FieldMessages> {
  const isForm = type === 'form'
  const given = isForm ? [...fields].filter(([name, value]) => value !== '' || !mayBeEmpty.has(name)) : fields
  const known = { password: checkPassword, proof: checkProof, ...(isForm && { form_id: checkFormId }) }
  return readTexts(known, given).map(({ password, proof, form_id: formId }) => ({ password, proof, formId }))
}

/** The fields of a form that are missing when they are empty. */
const mayBeEmpty: ReadonlySet<string> = new Set([openNames.password, openNames.proof])

/** Whether it can be a proof at all; whether it is the right one is asked for sealed secrets only. */
const checkProof: CheckText = (proof) =>
  proofShape.test(proof) ? [] : ['must be 43 characters of base64url without padding']

/** A password that breaks the rules cannot be the right one. */
const checkPassword: CheckText = (password, name) => {
  const broken = passwordError(password)
  return broken === undefined ? [] : (fieldMessages([{ field: name, ...broken }])[name] ?? [])
}
