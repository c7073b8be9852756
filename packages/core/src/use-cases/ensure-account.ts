import { err, ok, ResultAsync, type Result } from 'neverthrow'
import type { Account } from '../entities/account.ts'
import type { DecryptError, FieldsInvalid, KeyRetired, StorageError } from '../errors.ts'
import { labelError } from '../rules/fields.ts'
import { findAccountByName, insertAccount, type InsertAccountDeps } from './accounts.ts'

export type EnsureAccountDeps = InsertAccountDeps
export interface EnsureAccountInput {
  /** The id that the embedding application has for its user, compared exactly: 1 to 255 code points, no control characters. */
  readonly externalId: string
}
export type EnsureAccountError = FieldsInvalid | DecryptError | KeyRetired | StorageError

/**
 * The account of an embedding application's user, created when there is none yet. Of several calls at once for one user all get the
 * same account.
 * @errors `fields_invalid`
 */
export function ensureAccount(
  deps: EnsureAccountDeps,
  input: EnsureAccountInput,
): ResultAsync<Account, EnsureAccountError> {
  return new ResultAsync(ensure(deps, input))
}

async function ensure(
  deps: EnsureAccountDeps,
  { externalId }: EnsureAccountInput,
): Promise<Result<Account, EnsureAccountError>> {
  const broken = labelError(externalId)
  if (broken !== undefined)
    return err({ code: 'fields_invalid', errors: [{ field: 'externalId', ...broken }] })
  const name = { email: undefined, externalId }
  const found = await findAccountByName(deps, name)
  if (found.isErr()) return err(found.error)
  if (found.value !== undefined) return ok(found.value)
  const inserted = await insertAccount(deps, name)
  if (inserted.isOk()) return ok(inserted.value)
  if (inserted.error.code !== 'account_exists') return err(inserted.error)
  // Another call created it first; accounts are never deleted, so it is there.
  const other = await findAccountByName(deps, name)
  if (other.isErr()) return err(other.error)
  return other.value === undefined ? err({ code: 'storage_unavailable', reason: 'busy' }) : ok(other.value)
}
