import { err, ok, ResultAsync, type Result } from 'neverthrow'
import { accountNameText } from '../entities/account.ts'
import type { Uuid } from '../entities/uuid.ts'
import type {
  AccountExists,
  AccountNotFound,
  DecryptError,
  FieldsInvalid,
  KeyRetired,
  StorageError,
} from '../errors.ts'
import type { Ports } from '../ports/ports.ts'
import { emailError, normalizeEmail } from '../rules/fields.ts'
import { underActiveKey } from './active-key.ts'
import { getAccount } from './get-account.ts'
import { tellOfNewEmail, type MailUnderWay, type TellOwnerDeps } from './mails.ts'

export type ChangeEmailDeps = Pick<Ports, 'accounts' | 'textCipher' | 'keyRing' | 'digests'> & TellOwnerDeps
export interface ChangeEmailInput {
  readonly accountId: Uuid
  readonly email: string
}
export type ChangeEmailError =
  FieldsInvalid | AccountNotFound | AccountExists | KeyRetired | DecryptError | StorageError

/**
 * Gives an account another email address at once, which is also its name for signing in; it replaces an external id. For the operator: an
 * owner has to confirm a new address, see `requestEmailChange`. The old address is told by mail, where there is a mail server.
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
  const { accounts, textCipher, keyRing, digests } = deps
  const email = normalizeEmail(typed)
  const broken = emailError(email)
  if (broken !== undefined) return err({ code: 'fields_invalid', errors: [{ field: 'email', ...broken }] })
  const account = await getAccount(deps, { accountId })
  if (account.isErr()) return err(account.error)
  // An account under a key that this process has not read yet would not be found by its name.
  keyRing.refresh()
  const text = accountNameText({ email, externalId: undefined })
  const place = { column: 'account.name', accountId, rowId: accountId } as const
  const renamed = await underActiveKey(keyRing, () =>
    accounts.rename(accountId, textCipher.encryptText(place, text), digests.accountIndexes(text)),
  )
  if (renamed.isErr()) return err(renamed.error)
  return ok({ mailed: tellOfNewEmail(deps, account.value, email) })
}
