import { err, ok, ResultAsync, type Result } from 'neverthrow'
import type { MailChoice } from '../entities/account.ts'
import type { Uuid } from '../entities/uuid.ts'
import type { AccountNotFound, DecryptError, StorageError } from '../errors.ts'
import type { PortMethods } from '../ports/ports.ts'
import { getAccount } from './get-account.ts'
import { tellOwner, type MailUnderWay, type TellOwnerDeps } from './mails.ts'

export type SetMailsDeps = PortMethods<{ accounts: 'find' | 'setMails'; textCipher: 'decryptText' }> &
  TellOwnerDeps
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
