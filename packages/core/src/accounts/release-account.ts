import type { ResultAsync } from 'neverthrow'
import type { Uuid } from '../shared/uuid.ts'
import type { AccountNotFound } from './errors.ts'
import type { StorageError } from '../shared/errors.ts'
import type { AccountStore } from './account-store.ts'
import { foundOr } from '../shared/found-or.ts'

export interface ReleaseAccountDeps {
  readonly accounts: Pick<AccountStore, 'release'>
}
export interface ReleaseAccountInput {
  readonly accountId: Uuid
}
export type ReleaseAccountError = AccountNotFound | StorageError

/**
 * Releases a held account for the operator (`Account.isHeld`): its password and passkeys sign in again, whom its identities belong to need not be
 * allowed any more, and a reset is mailed to it. An account that is not held stays as it is.
 * @errors `account_not_found`
 */
export function releaseAccount(
  { accounts }: ReleaseAccountDeps,
  { accountId }: ReleaseAccountInput,
): ResultAsync<void, ReleaseAccountError> {
  return accounts.release(accountId).andThen(foundOr('account_not_found'))
}
