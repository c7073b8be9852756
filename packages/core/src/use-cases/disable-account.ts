import { err, ok, type Result, type ResultAsync } from 'neverthrow'
import type { Uuid } from '../entities/uuid.ts'
import type { AccountNotFound, StorageError } from '../errors.ts'
import type { PortMethods } from '../ports/ports.ts'

export type DisableAccountDeps = PortMethods<{ accounts: 'disable'; clock: 'nowMicros' }>
export interface DisableAccountInput {
  readonly accountId: Uuid
}
export type DisableAccountError = AccountNotFound | StorageError

/**
 * Disables an account: its access tokens are refused from now on. Its links stay: they belong to their recipients.
 * @errors `account_not_found`
 */
export function disableAccount(
  { accounts, clock }: DisableAccountDeps,
  { accountId }: DisableAccountInput,
): ResultAsync<void, DisableAccountError> {
  return accounts
    .disable(accountId, clock.nowMicros())
    .andThen((found): Result<void, AccountNotFound> => (found ? ok() : err({ code: 'account_not_found' })))
}
