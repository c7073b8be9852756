import { idempotencyKeyErrors, type ErrorOf, type Sotto, type StorageError, type Uuid } from '@sotto/core'
import { fieldMessages, readNewSecret, type FieldMessages, type NewSecretSchema } from '@sotto/wire'
import { err, ok, type Result } from 'neverthrow'
import { fieldsProblem } from '../http/problems-of-errors.ts'
import { problems, type Problem } from '../http/problems.ts'

export interface NewSecretRequest {
  readonly schema: NewSecretSchema
  readonly body: unknown
  /** Its idempotency key. */
  readonly key: string | undefined
}

/**
 * Everything that is wrong with a request whose body does not fit the schema, in one answer: missing and unknown fields, fields of another type,
 * and what the core finds wrong with the rest, the folder's ownership included. `undefined` if nothing is wrong: then the schema refused
 * what the core accepts.
 */
export async function newSecretProblem(
  sotto: Pick<Sotto, 'checkNewSecret'>,
  accountId: Uuid,
  { schema, body, key }: NewSecretRequest,
): Promise<Result<Problem | undefined, StorageError>> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return ok(problems.noJsonObject)
  const { secret, errors, hasUnknownField, unknownErrors } = readNewSecret(schema, body)
  const checked = await sotto.checkNewSecret({ accountId, ...secret })
  const ruleErrors = checked.isErr() ? messagesOf(checked.error) : ok({})
  if (ruleErrors.isErr()) return err(ruleErrors.error)
  const keyErrors = key === undefined ? {} : fieldMessages(idempotencyKeyErrors(key))
  const all = { ...errors, ...ruleErrors.value, ...unknownErrors, ...keyErrors }
  return ok(hasUnknownField || Object.keys(all).length > 0 ? fieldsProblem(all) : undefined)
}

function messagesOf(error: ErrorOf<Sotto['checkNewSecret']>): Result<FieldMessages, StorageError> {
  return error.code === 'fields_invalid' ? ok(fieldMessages(error.errors)) : err(error)
}
