import { bounds, type NewSecret } from '@sotto/core'
import * as Type from 'typebox'
import type { Static } from 'typebox'
import {
  isOfType,
  isReportable,
  missingMessage,
  typeMessages,
  unknownMessage,
  type FieldMessages,
} from '../shared/field-messages.ts'
import { newSecretNames } from '../shared/new-secret-names.ts'
import { fromWireOpenLimit, toWireOpenLimit } from './open-limit.ts'
import { noControlCharacters, noNul } from '../shared/scalars.ts'

/** The schema that `newSecretSchema` makes. */
export type NewSecretSchema = ReturnType<typeof newSecretSchema>

/** The body of the request that creates a secret. */
export type WireNewSecret = Static<NewSecretSchema>

/**
 * What creating a secret takes. Lengths count code points here. Where the bound is one of bytes, the schema accepts everything that the
 * core accepts and some texts that the core then refuses.
 */
export function newSecretSchema({ noteMaxBytes }: { readonly noteMaxBytes: number }) {
  return Type.Object(
    {
      label: Type.String({
        minLength: 1,
        maxLength: bounds.labelMaxCodePoints,
        pattern: noControlCharacters,
        description:
          `The title of the secret: 1 to ${bounds.labelMaxCodePoints} characters. No control characters, none that change the ` +
          'writing direction, and no other invisible ones; something of it is visible. Emoji and joiners inside words stay as they are.',
        examples: ['Database, staging'],
      }),
      note: Type.String({ minLength: 1, ...noteOptions(noteMaxBytes) }),
      folder_id: Type.String({
        format: 'uuid',
        description: 'The id of one of your folders, from the list of folders.',
        examples: ['01936f2e-7c1a-7b32-9d55-0c8f4a1e2b3d'],
      }),
      open_limit: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: bounds.openLimitMax,
          description: 'How often the link can be opened; 0, as without this field, means without limit.',
          examples: [1],
        }),
      ),
      notify: Type.Optional(
        Type.Boolean({
          description:
            'Whether you are notified when the secret is opened, when wrong passwords lock or disable its link, and when it expires ' +
            'unopened: by mail and webhook, as the settings of the account say. Without this field you are not.',
          examples: [false],
        }),
      ),
      password: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: bounds.passwordMaxBytes,
          pattern: noNul,
          description:
            `Without one, anybody who has the link can open it. 1 to ${bounds.passwordMaxBytes} bytes of UTF-8, ` +
            'compared after Unicode normalisation (NFC).',
          examples: ['correct horse'],
        }),
      ),
    },
    {
      additionalProperties: false,
      description: 'A new secret. Unknown fields, `null` and other types are refused.',
    },
  )
}

function noteOptions(noteMaxBytes: number) {
  return {
    maxLength: noteMaxBytes,
    pattern: noNul,
    description:
      `The confidential text: 1 to ${noteMaxBytes} bytes of UTF-8, stored and delivered byte for byte. ` +
      'Lines are separated by the JSON escape `\\n`.',
    examples: ['user: app\npassword: correct horse battery staple'],
  }
}

/** What creating a secret with files takes: its text may be empty, or absent, where there is a file. */
export function newSecretWithFilesSchema(policy: Parameters<typeof newSecretSchema>[0]) {
  const { properties } = newSecretSchema(policy)
  const { description, ...note } = noteOptions(policy.noteMaxBytes)
  const optional = `${description} It may be empty or absent where there is a file.`
  return Type.Object(
    { ...properties, note: Type.Optional(Type.String({ ...note, description: optional })) },
    {
      additionalProperties: false,
      description: 'A new secret with files. Unknown fields, `null` and other types are refused.',
    },
  )
}

/** The fields of a new secret by the core's names. Fields that are absent stay absent. */
export function fromWireNewSecret(body: WireNewSecret): NewSecret
export function fromWireNewSecret(body: Partial<WireNewSecret>): Partial<NewSecret>
export function fromWireNewSecret(body: Partial<WireNewSecret>): Partial<NewSecret> {
  const secret: Record<string, unknown> = {}
  for (const [name, wireName] of namePairs) {
    if (Object.hasOwn(body, wireName)) secret[name] = body[wireName]
  }
  if (body.open_limit !== undefined) secret['openLimit'] = fromWireOpenLimit(body.open_limit)
  return secret
}

const namePairs = Object.entries(newSecretNames)

/** The body that asks for a new secret. Fields that are absent stay absent. */
export function toWireNewSecret({ openLimit, ...secret }: NewSecret): WireNewSecret {
  const body = Object.entries(secret).map(([name, value]) => [newSecretNames[name as keyof NewSecret], value])
  const limit = openLimit === undefined ? {} : { open_limit: toWireOpenLimit(openLimit) }
  return { ...(Object.fromEntries(body) as WireNewSecret), ...limit }
}

/** What can be read from an object that does not fit the schema. */
export interface NewSecretReading {
  /** The fields of the right type, by the core's names. */
  readonly secret: Partial<NewSecret>
  /** Fields that are missing or of another type. */
  readonly errors: FieldMessages
  /** Whether there is a field that the API does not have, also one that no answer may name. */
  readonly hasUnknownField: boolean
  /** The unknown fields that an answer may name. */
  readonly unknownErrors: FieldMessages
}

/** Reads as much of a new secret as there is. Values are checked for their type only. */
export function readNewSecret(
  schema: NewSecretSchema | ReturnType<typeof newSecretWithFilesSchema>,
  body: object,
): NewSecretReading {
  const wellTyped: Record<string, unknown> = {}
  const errors: Record<string, string[]> = {}
  for (const [name, { type }] of Object.entries(schema.properties)) {
    const value: unknown = Object.getOwnPropertyDescriptor(body, name)?.value
    if (value === undefined) {
      if (schema.required.some((required) => required === name)) errors[name] = [missingMessage]
    } else if (isOfType(value, type)) wellTyped[name] = value
    else errors[name] = [typeMessages[type]]
  }
  const unknown = Object.keys(body).filter((name) => !Object.hasOwn(schema.properties, name))
  return {
    secret: fromWireNewSecret(wellTyped as Partial<WireNewSecret>),
    errors,
    hasUnknownField: unknown.length > 0,
    unknownErrors: Object.fromEntries(unknown.filter(isReportable).map((name) => [name, [unknownMessage]])),
  }
}
