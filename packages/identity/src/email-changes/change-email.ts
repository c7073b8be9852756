import type {
  Uuid,
  AccountExists,
  AccountNotFound,
  DecryptError,
  FieldsInvalid,
  KeyRetired,
  StorageError,
  AccountStore,
} from '@sotto/core'
import {
  readEmail,
  writeName,
  type WriteNameDeps,
  getAccount,
  type GetAccountDeps,
  tellOfNewEmail,
  type MailUnderWay,
  type TellOwnerDeps,
} from '@sotto/core/building-blocks'
import { err, ok, ResultAsync, type Result } from 'neverthrow'

export type ChangeEmailDeps = GetAccountDeps &
  WriteNameDeps &
  TellOwnerDeps & { readonly accounts: Pick<AccountStore, 'rename'> }
export interface ChangeEmailInput {
  readonly accountId: Uuid
  readonly email: string
}
export type ChangeEmailError =
  FieldsInvalid | AccountNotFound | AccountExists | KeyRetired | DecryptError | StorageError

/**
 * Gives an account another email address immediately, which is also its name for signing in; it replaces an external id. For the operator:
 * an owner has to confirm a new address, see `requestEmailChange`. The old address is told by mail, where there is a mail server.
 * @errors `fields_invalid`; `account_exists` when another account has this email; `account_not_found`
 */
export function changeEmail(
  deps: ChangeEmailDeps,
  input: ChangeEmailInput,
): ResultAsync<MailUnderWay, ChangeEmailError> {
  return new ResultAsync(change(deps, input))
}

async function change(
  deps: ChangeEmailDeps,
  { accountId, email: typed }: ChangeEmailInput,
): Promise<Result<MailUnderWay, ChangeEmailError>> {
  const email = readEmail(typed)
  if (email.isErr()) return err(email.error)
  const account = await getAccount(deps, { accountId })
  if (account.isErr()) return err(account.error)
  const name = { email: email.value, externalId: undefined }
  const renamed = await writeName(deps, accountId, name, (encrypted, indexes) =>
    deps.accounts.rename(accountId, encrypted, indexes),
  )
  if (renamed.isErr()) return err(renamed.error)
  return ok({ mailed: tellOfNewEmail(deps, account.value, email.value) })
}
