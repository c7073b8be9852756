import { checkNewSecret, type Ports, type StorageError, type Uuid } from '@sotto/core'
import { err, ok, type Result } from 'neverthrow'
import { faultsByField, fieldsRefusal } from '../error-answers.ts'
import { refusals, type Refusal } from '../refusals.ts'
import type { NewSecretSchema, WireNewSecret } from '../schemas/new-secret.ts'
import { fromWireNewSecret } from '../wire.ts'

/** What a value of the wrong type is told. */
const typeMessages = {
  string: 'must be a string',
  integer: 'must be a whole number',
  boolean: 'must be true or false',
} as const

/** Names of unknown fields that may be repeated to the sender; any other could carry what was confided. */
const namable = /^[a-z_]{1,32}$/

/**
 * Everything that is wrong with a body that does not fit the schema, in one answer: fields of a wrong type, missing and unknown
 * ones, and what the core finds wrong with the rest, the folder's ownership included. `undefined` if nothing is: then the core
 * is right and the schema is too strict.
 */
export async function newSecretFaults(
  ports: Pick<Ports, 'folders' | 'limits'>,
  accountId: Uuid,
  schema: NewSecretSchema,
  body: unknown,
): Promise<Result<Refusal | undefined, StorageError>> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return ok(refusals.noJsonObject)
  const { wellTyped, errors } = judgeTypes(schema, body)
  const checked = await checkNewSecret(ports, { accountId, ...fromWireNewSecret(wellTyped) })
  if (checked.isErr()) {
    if (checked.error.code !== 'fields_invalid') return err(checked.error)
    for (const [name, messages] of Object.entries(faultsByField(checked.error.faults)))
      errors.set(name, messages)
  }
  const unknown = Object.keys(body).filter((name) => !Object.hasOwn(schema.properties, name))
  for (const name of unknown) if (namable.test(name)) errors.set(name, ['is not a known field'])
  return ok(errors.size + unknown.length === 0 ? undefined : fieldsRefusal(Object.fromEntries(errors)))
}

function judgeTypes(schema: NewSecretSchema, body: object) {
  const wellTyped: Record<string, unknown> = {}
  const errors = new Map<string, string[]>()
  for (const [name, { type }] of Object.entries(schema.properties)) {
    const value: unknown = Object.getOwnPropertyDescriptor(body, name)?.value
    if (value === undefined) {
      if (schema.required.some((required) => required === name)) errors.set(name, ['is required'])
    } else if (isOfType(value, type)) wellTyped[name] = value
    else errors.set(name, [typeMessages[type]])
  }
  return { wellTyped: wellTyped as Partial<WireNewSecret>, errors }
}

function isOfType(value: unknown, type: keyof typeof typeMessages): boolean {
  return type === 'integer' ? Number.isInteger(value) : typeof value === type
}
