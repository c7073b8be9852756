import { ok, err, ResultAsync, type Result } from 'neverthrow'
import type { AccountStore } from '../../accounts/account-store.ts'
import type { MailChoice } from '../../accounts/account.ts'
import type { AccountNotFound } from '../../accounts/errors.ts'
import type { DecryptError, StorageError } from '../../shared/errors.ts'
import type { TextCipher } from '../../shared/cipher.ts'
import type { Uuid } from '../../shared/uuid.ts'
import { type MailUnderWay, tellOwner, type TellOwnerDeps } from './mails.ts'
import { getAccount } from '../../accounts/get-account.ts'

export type SetMailsDeps = {
  readonly accounts: Pick<AccountStore, 'find' | 'setMails'>
  readonly textCipher: Pick<TextCipher, 'decryptText'>
} & TellOwnerDeps
export interface SetMailsInput extends MailChoice {
  readonly accountId: Uuid
}
export type SetMailsError = AccountNotFound | DecryptError | StorageError

/**
 * Chooses which mails about secrets an account's owner gets. A last mail tells of it when they are switched off: whoever opens the secrets of
 * a stolen session would do that first.
 * @errors `account_not_found`
 */
export function setMails(deps: SetMailsDeps, input: SetMailsInput): ResultAsync<MailUnderWay, SetMailsError> {
  return new ResultAsync(set(deps, input))
}

async function set(
  deps: SetMailsDeps,
  { accountId, enabled, nameLabels }: SetMailsInput,
): Promise<Result<MailUnderWay, SetMailsError>> {
  const account = await getAccount(deps, { accountId })
  if (account.isErr()) return err(account.error)
  const found = await deps.accounts.setMails(accountId, { enabled, nameLabels })
  if (found.isErr()) return err(found.error)
  if (!found.value) return err({ code: 'account_not_found' })
  const { email, mails } = account.value
  const to = mails.enabled && !enabled ? email : undefined
  return ok({ mailed: tellOwner(deps, to, account.value, { kind: 'notice', notice: 'mails_off' }) })
}
