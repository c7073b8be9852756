import { err, ResultAsync, type Result } from 'neverthrow'
import type { Account } from './account.ts'
import type { DecryptError, FieldsInvalid, KeyRetired, StorageError } from '../shared/errors.ts'
import { comparedTextError } from '../shared/fields.ts'
import { ensureNamedAccount, type EnsureNamedAccountDeps } from './accounts.ts'

export type EnsureAccountDeps = EnsureNamedAccountDeps
export interface EnsureAccountInput {
  /** The id that the embedding application has for its user, compared exactly: 1 to 255 code points, no control characters. */
  readonly externalId: string
}
export type EnsureAccountError = FieldsInvalid | DecryptError | KeyRetired | StorageError

/**
 * The account of an embedding application's user, created when there is none yet. Several simultaneous calls for one user all get the same
 * account.
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
  const broken = comparedTextError(externalId)
  if (broken !== undefined)
    return err({ code: 'fields_invalid', errors: [{ field: 'externalId', ...broken }] })
  return ensureNamedAccount(deps, { email: undefined, externalId })
}
