import {
  idempotencyKeyErrors,
  type CreatedOnce,
  type CreateSecretInput,
  type ErrorOf,
  type Policy,
  type Sotto,
  type StorageError,
  type Uuid,
} from '@sotto/core'
import { fieldMessages, readNewSecret, type FieldMessages } from '@sotto/wire'
import type { FastifyReply, FastifyRequest, FastifySchemaCompiler } from 'fastify'
import { err, ok, type Result } from 'neverthrow'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/schema'
import { sendProblem } from '../http/answers/answers.ts'
import { fieldsProblem } from '../http/answers/problems-of-errors.ts'
import { problems, type Problem } from '../http/answers/problems.ts'
import { readBody } from '../http/bodies/bodies.ts'
import { parseStrictJson } from '../http/bodies/strict-json.ts'
import { headerValues } from '../http/request/headers.ts'

/**
 * The largest body: a note can be six times as long in JSON (`\u0001` is one byte of it). The other fields and the punctuation fit into 16
 * KiB.
 */
export function bodyMaxBytes({ noteMaxBytes }: Pick<Policy, 'noteMaxBytes'>): number {
  return 6 * noteMaxBytes + 16 * 1024
}

/** Makes a hook `preValidation` that reads the body, and the JSON in it. */
export function createReadJsonBody(policy: Pick<Policy, 'noteMaxBytes'>) {
  const maxBytes = bodyMaxBytes(policy)
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    const parsed = parseStrictJson(await readBody(reply, maxBytes))
    if (parsed.isErr()) return sendProblem(reply, parsed.error)
    request.body = parsed.value
    return undefined
  }
}

/**
 * Only decides whether a value fits its schema; what is wrong with it is found elsewhere. It is set on each route, because the validator
 * of an embedding application may convert, remove and add values, as Fastify's own does by default. Without it Fastify would also load
 * its own, which takes a quarter of the server's start.
 */
export const validatorCompiler: FastifySchemaCompiler<TSchema> = ({ schema }) => {
  const validator = Compile(schema)
  return (value: unknown) =>
    validator.Check(value) ? { value } : { error: new Error('it does not fit its schema') }
}

export interface NewSecretRequest {
  readonly schema: Parameters<typeof readNewSecret>[0]
  readonly body: unknown
  /** Whether it is a form. Its files are not read yet: whether it has any is checked later. */
  readonly isForm: boolean
  /** The request's idempotency key. */
  readonly key: string | undefined
}

/**
 * Everything that is wrong with a request whose body does not fit the schema, in one answer. This is missing and unknown fields, fields of
 * another type, and what the core finds wrong with the rest, the folder's ownership included. `undefined` if nothing is wrong: then the
 * schema refused what the core accepts.
 */
export async function newSecretProblem(
  sotto: Pick<Sotto, 'checkNewSecret'>,
  accountId: Uuid,
  { schema, body, isForm, key }: NewSecretRequest,
): Promise<Result<Problem | undefined, StorageError>> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return ok(problems.noJsonObject)
  const { secret, errors, hasUnknownField, unknownErrors } = readNewSecret(schema, body)
  const checked = await sotto.checkNewSecret({ accountId, ...secret, hasFiles: isForm })
  const ruleErrors = checked.isErr() ? messagesOf(checked.error) : ok({})
  if (ruleErrors.isErr()) return err(ruleErrors.error)
  const keyErrors = key === undefined ? {} : fieldMessages(idempotencyKeyErrors(key))
  const all = { ...errors, ...ruleErrors.value, ...unknownErrors, ...keyErrors }
  return ok(hasUnknownField || Object.keys(all).length > 0 ? fieldsProblem(all) : undefined)
}

function messagesOf(error: ErrorOf<Sotto['checkNewSecret']>): Result<FieldMessages, StorageError> {
  return error.code === 'fields_invalid' ? ok(fieldMessages(error.errors)) : err(error)
}

/** The header `Idempotency-Key`; `undefined` without one. Two of them are joined by a comma and a space, which no key may contain. */
export function idempotencyKeyOf({ raw }: FastifyRequest): string | undefined {
  const values = headerValues(raw, 'idempotency-key')
  return values.length === 0 ? undefined : values.join(', ')
}

/** Creates a secret, once for each idempotency key. */
export async function createWithKey(
  sotto: Pick<Sotto, 'createSecret' | 'createSecretOnce'>,
  input: CreateSecretInput,
  idempotencyKey: string | undefined,
): Promise<Result<CreatedOnce, ErrorOf<Sotto['createSecretOnce']>>> {
  if (idempotencyKey !== undefined) return sotto.createSecretOnce({ ...input, idempotencyKey })
  const created = await sotto.createSecret(input)
  return created.isErr() ? err(created.error) : ok({ secret: created.value, isReplayed: false })
}
