import {
  type AccountDisabled,
  findAccount,
  type FindAccountDeps,
  type FindAccountError,
} from '@sotto/core/building-blocks'
import { err, ResultAsync, type Result } from 'neverthrow'
import { makeInvitation, type MakeInvitationDeps, type NewInvitation } from './invitations.ts'

export type ResetAccountDeps = FindAccountDeps & MakeInvitationDeps
export interface ResetAccountInput {
  readonly email: string
}
export type ResetAccountError = FindAccountError | AccountDisabled

/**
 * Makes a one-time link with which the owner of an existing account chooses a new password. It works for an hour; an older one of the
 * account ends. The old password works until the link is used, which ends all sessions of the account and removes its identities,
 * passkeys and webhooks.
 * @errors `account_not_found`; `account_disabled`
 */
export function resetAccount(
  deps: ResetAccountDeps,
  input: ResetAccountInput,
): ResultAsync<NewInvitation, ResetAccountError> {
  return new ResultAsync(reset(deps, input))
}

async function reset(
  deps: ResetAccountDeps,
  input: ResetAccountInput,
): Promise<Result<NewInvitation, ResetAccountError>> {
  const account = await findAccount(deps, input)
  return account.isErr() ? err(account.error) : makeInvitation(deps, account.value, 'reset')
}
