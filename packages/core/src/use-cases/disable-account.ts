import type { ResultAsync } from 'neverthrow'
import type { Uuid } from '../entities/uuid.ts'
import type { AccountNotFound, StorageError } from '../errors.ts'
import type { Ports } from '../ports/ports.ts'
import { orNotFound } from './found.ts'

/** Disables an account: its tokens are refused from now on. Its links stay: they belong to their recipients. */
export function disableAccount(
  { accounts, clock }: Pick<Ports, 'accounts' | 'clock'>,
  { accountId }: { readonly accountId: Uuid },
): ResultAsync<void, AccountNotFound | StorageError> {
  return orNotFound(accounts.disable(accountId, clock.nowMicros()), { code: 'account_not_found' as const })
}
