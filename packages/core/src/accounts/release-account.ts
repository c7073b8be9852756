import type { ResultAsync } from 'neverthrow'
import type { Uuid } from '../shared/uuid.ts'
import type { AccountNotFound, StorageError } from '../errors.ts'
import type { PortMethods } from '../storage/ports.ts'
import { foundOr } from '../shared/found-or.ts'

export type ReleaseAccountDeps = PortMethods<{ accounts: 'release' }>
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
