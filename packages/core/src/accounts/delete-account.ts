import { err, ok, ResultAsync, type Result } from 'neverthrow'
import type { Uuid } from '../shared/uuid.ts'
import type { AccountNotFound } from './errors.ts'
import type { StorageError } from '../shared/errors.ts'
import type { AccountStore } from './account-store.ts'
import type { Clock } from '../shared/clock.ts'
import { eraseAll } from '../shared/erase-all.ts'
import { foundOr } from '../shared/found-or.ts'

export interface DisableAccountDeps {
  readonly accounts: Pick<AccountStore, 'disable'>
  readonly clock: Clock
}
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
  return accounts.disable(accountId, clock.nowMicros()).andThen(foundOr('account_not_found'))
}

export interface DeleteAccountDeps {
  readonly accounts: Pick<AccountStore, 'beginErasure' | 'eraseBegun'>
}
export interface DeleteAccountInput {
  readonly accountId: Uuid
}
export type DeleteAccountError = AccountNotFound | StorageError

/**
 * Erases an account with everything that belongs to it: folders, drafts, secrets with their notes and links, access tokens, sessions,
 * webhooks with the messages that wait. From the first step on the account is deleted: nobody can sign in and no access token is accepted.
 * The rest is erased in batches; when a crash or an error ends this early, the next sweep continues, so such an error is not reported.
 * @errors `account_not_found`; a storage error when nothing was deleted
 */
export function deleteAccount(
  { accounts }: DeleteAccountDeps,
  { accountId }: DeleteAccountInput,
): ResultAsync<void, DeleteAccountError> {
  return new ResultAsync(erase(accounts, accountId))
}

async function erase(
  accounts: DeleteAccountDeps['accounts'],
  accountId: Uuid,
): Promise<Result<void, DeleteAccountError>> {
  const begun = await accounts.beginErasure(accountId)
  if (begun.isErr()) return err(begun.error)
  if (!begun.value) return err({ code: 'account_not_found' })
  const erased = await eraseAll((limit) => accounts.eraseBegun(limit))
  erased.unwrapOr(0)
  return ok()
}
