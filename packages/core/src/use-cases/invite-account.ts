import { err, ResultAsync, type Result } from 'neverthrow'
import type { AccountDisabled, DecryptError, FieldsInvalid, KeyRetired, StorageError } from '../errors.ts'
import { emailError, normalizeEmail } from '../rules/fields.ts'
import { ensureNamedAccount, type InsertAccountDeps } from './accounts.ts'
import { makeWelcome, type MakeWelcomeDeps, type NewWelcome } from './welcomes.ts'

export type InviteAccountDeps = InsertAccountDeps & MakeWelcomeDeps
export interface InviteAccountInput {
  readonly email: string
}
export type InviteAccountError = FieldsInvalid | AccountDisabled | DecryptError | KeyRetired | StorageError

/**
 * Makes a one-time link with which somebody chooses a password, and the account when there is none with this email. The link works for 72
 * hours; an older one of the account ends. When the account has a password, using the link also revokes its access tokens and removes its
 * webhooks: the account may have belonged to somebody else until then.
 * @errors `fields_invalid`; `account_disabled`
 */
export function inviteAccount(
  deps: InviteAccountDeps,
  input: InviteAccountInput,
): ResultAsync<NewWelcome, InviteAccountError> {
  return new ResultAsync(invite(deps, normalizeEmail(input.email)))
}

async function invite(
  deps: InviteAccountDeps,
  email: string,
): Promise<Result<NewWelcome, InviteAccountError>> {
  const broken = emailError(email)
  if (broken !== undefined) return err({ code: 'fields_invalid', errors: [{ field: 'email', ...broken }] })
  const account = await ensureNamedAccount(deps, { email, externalId: undefined })
  return account.isErr() ? err(account.error) : makeWelcome(deps, account.value, 'invite')
}
