import { ResultAsync } from 'neverthrow'
import type { Account } from './account.ts'
import type { AccountExists } from './errors.ts'
import type { FieldsInvalid, KeyRetired, StorageError } from '../shared/errors.ts'
import { insertAccount, readEmail, type InsertAccountDeps } from './accounts.ts'

export type CreateAccountDeps = InsertAccountDeps
export interface CreateAccountInput {
  readonly email: string
}
export type CreateAccountError = FieldsInvalid | AccountExists | KeyRetired | StorageError

/**
 * Adds an account whose name is an email address.
 * @errors `account_exists` when an account has this email already, whatever its case; `fields_invalid`
 */
export function createAccount(
  deps: CreateAccountDeps,
  input: CreateAccountInput,
): ResultAsync<Account, CreateAccountError> {
  return readEmail(input.email).asyncAndThen(
    (email) => new ResultAsync(insertAccount(deps, { email, externalId: undefined })),
  )
}
