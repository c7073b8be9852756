import { err, ResultAsync, type Result } from 'neverthrow'
import type { AccountDisabled } from '../errors.ts'
import { findAccount, type FindAccountDeps, type FindAccountError } from './find-account.ts'
import { makeWelcome, type MakeWelcomeDeps, type NewWelcome } from './welcomes.ts'

export type ResetAccountDeps = FindAccountDeps & MakeWelcomeDeps
export interface ResetAccountInput {
  readonly email: string
}
export type ResetAccountError = FindAccountError | AccountDisabled

/**
 * Makes a one-time link with which the owner of an existing account chooses a new password. It works for an hour; an older one of the
 * account ends. The old password works until the link is used, which ends all sessions of the account and removes its webhooks.
 * @errors `account_not_found`; `account_disabled`
 */
export function resetAccount(
  deps: ResetAccountDeps,
  input: ResetAccountInput,
): ResultAsync<NewWelcome, ResetAccountError> {
  return new ResultAsync(reset(deps, input))
}

async function reset(
  deps: ResetAccountDeps,
  input: ResetAccountInput,
): Promise<Result<NewWelcome, ResetAccountError>> {
  const account = await findAccount(deps, input)
  return account.isErr() ? err(account.error) : makeWelcome(deps, account.value, 'reset')
}
