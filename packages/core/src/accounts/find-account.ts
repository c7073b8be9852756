import { err, ok, ResultAsync, type Result } from 'neverthrow'
import type { Account } from './account.ts'
import type { AccountNotFound } from './errors.ts'
import type { DecryptError, StorageError } from '../shared/errors.ts'
import type { KeyRing } from '../shared/cipher.ts'
import { normalizeEmail } from './email.ts'
import { findAccountByName, type FindAccountByNameDeps } from './accounts.ts'

export type FindAccountDeps = FindAccountByNameDeps & { readonly keyRing: Pick<KeyRing, 'refresh'> }
export interface FindAccountInput {
  readonly email: string
}
export type FindAccountError = AccountNotFound | DecryptError | StorageError

/**
 * The account with this email, whatever its case; disabled ones too.
 * @errors `account_not_found`
 */
export function findAccount(
  deps: FindAccountDeps,
  input: FindAccountInput,
): ResultAsync<Account, FindAccountError> {
  return new ResultAsync(find(deps, normalizeEmail(input.email)))
}

async function find(deps: FindAccountDeps, email: string): Promise<Result<Account, FindAccountError>> {
  // An account under a key that this process has not read yet would not be found by its name.
  deps.keyRing.refresh()
  const found = await findAccountByName(deps, { email, externalId: undefined })
  if (found.isErr()) return err(found.error)
  return found.value === undefined ? err({ code: 'account_not_found' }) : ok(found.value)
}
