import { type Result, ResultAsync, err, errAsync, ok } from 'neverthrow'
import type { MailChoice } from './account.ts'
import { parseLanguage } from '../shared/language.ts'
import type { Uuid } from '../shared/uuid.ts'
import type { AccountNotFound, DecryptError, FieldsInvalid, StorageError } from '../errors.ts'
import type { PortMethods } from '../storage/ports.ts'
import { foundOr } from '../shared/found-or.ts'
import { getAccount } from './get-account.ts'
import { type MailUnderWay, type TellOwnerDeps, tellOwner } from '../notifications/mails/mails.ts'

export type SetLanguageDeps = PortMethods<{ accounts: 'setLanguage' }>
export interface SetLanguageInput {
  readonly accountId: Uuid
  /** The tag of one of `languages`; `undefined` follows the browser. */
  readonly language: string | undefined
}
export type SetLanguageError = FieldsInvalid | AccountNotFound | StorageError

/**
 * Chooses the language of an account's pages and mails.
 * @errors `fields_invalid` for a language that there are no texts in; `account_not_found`
 */
export function setLanguage(
  { accounts }: SetLanguageDeps,
  { accountId, language }: SetLanguageInput,
): ResultAsync<void, SetLanguageError> {
  const parsed = language === undefined ? undefined : parseLanguage(language)
  if (language !== undefined && parsed === undefined) {
    return errAsync({ code: 'fields_invalid', errors: [{ field: 'language', rule: 'unknown_language' }] })
  }
  return accounts.setLanguage(accountId, parsed).andThen(foundOr('account_not_found'))
}

export type RememberNotifyDeps = PortMethods<{ accounts: 'setNotifies' }>
export interface RememberNotifyInput {
  readonly accountId: Uuid
  /** What the owner chose for the secret that was created just now. */
  readonly notify: boolean
}
export type RememberNotifyError = AccountNotFound | StorageError

/**
 * Remembers whether an owner wants to hear of opens, so that the page for the next secret proposes it. `authenticateSession` tells it.
 * @errors `account_not_found`
 */
export function rememberNotify(
  { accounts }: RememberNotifyDeps,
  { accountId, notify }: RememberNotifyInput,
): ResultAsync<void, RememberNotifyError> {
  return accounts.setNotifies(accountId, notify).andThen(foundOr('account_not_found'))
}

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
