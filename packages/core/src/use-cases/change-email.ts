import { errAsync, ResultAsync } from 'neverthrow'
import { accountNameText } from '../entities/account.ts'
import type { Uuid } from '../entities/uuid.ts'
import type { AccountExists, AccountNotFound, FieldsInvalid, KeyRetired, StorageError } from '../errors.ts'
import type { Ports } from '../ports/ports.ts'
import { emailError, normalizeEmail } from '../rules/fields.ts'
import { underActiveKey } from './active-key.ts'

export type ChangeEmailDeps = Pick<Ports, 'accounts' | 'textCipher' | 'keyRing' | 'digests'>
export interface ChangeEmailInput {
  readonly accountId: Uuid
  readonly email: string
}
export type ChangeEmailError = FieldsInvalid | AccountNotFound | AccountExists | KeyRetired | StorageError

/**
 * Gives an account another email address, which is also its name for signing in; it replaces an external id. The caller makes sure that the owner entered the password
 * just now; see `ensureProof`.
 * @errors `fields_invalid`; `account_exists` when another account has this email; `account_not_found`
 */
export function changeEmail(
  { accounts, textCipher, keyRing, digests }: ChangeEmailDeps,
  { accountId, email: typed }: ChangeEmailInput,
): ResultAsync<void, ChangeEmailError> {
  const email = normalizeEmail(typed)
  const broken = emailError(email)
  if (broken !== undefined) {
    return errAsync({ code: 'fields_invalid', errors: [{ field: 'email', ...broken }] })
  }
  // An account under a key that this process has not read yet would not be found by its name.
  keyRing.refresh()
  const text = accountNameText({ email, externalId: undefined })
  const place = { column: 'account.name', accountId, rowId: accountId } as const
  return new ResultAsync(
    underActiveKey(keyRing, () =>
      accounts.rename(accountId, textCipher.encryptText(place, text), digests.accountIndexes(text)),
    ),
  )
}
