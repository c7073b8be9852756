import { err, ok, type Result, type ResultAsync } from 'neverthrow'
import type { MailChoice } from '../entities/account.ts'
import type { Uuid } from '../entities/uuid.ts'
import type { AccountNotFound, StorageError } from '../errors.ts'
import type { Ports } from '../ports/ports.ts'

export type SetMailsDeps = Pick<Ports, 'accounts'>
export interface SetMailsInput extends MailChoice {
  readonly accountId: Uuid
}
export type SetMailsError = AccountNotFound | StorageError

/**
 * Chooses which mails about secrets an account's owner gets.
 * @errors `account_not_found`
 */
export function setMails(
  { accounts }: SetMailsDeps,
  { accountId, enabled, nameLabels }: SetMailsInput,
): ResultAsync<void, SetMailsError> {
  return accounts
    .setMails(accountId, { enabled, nameLabels })
    .andThen((found): Result<void, AccountNotFound> => (found ? ok() : err({ code: 'account_not_found' })))
}
