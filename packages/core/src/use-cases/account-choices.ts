import { type Result, ResultAsync, err, errAsync, ok } from 'neverthrow'
import type { MailChoice } from '../entities/account.ts'
import { parseLanguage } from '../entities/language.ts'
import type { Uuid } from '../entities/uuid.ts'
import type { AccountNotFound, DecryptError, FieldsInvalid, StorageError } from '../errors.ts'
import type { PortMethods } from '../ports/ports.ts'
import { eraseAll } from './erase-all.ts'
import { getAccount } from './get-account.ts'
import { type MailUnderWay, type TellOwnerDeps, tellOwner } from './mails.ts'

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
  return accounts
    .setLanguage(accountId, parsed)
    .andThen((found): Result<void, AccountNotFound> => (found ? ok() : err({ code: 'account_not_found' })))
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
  return accounts
    .setNotifies(accountId, notify)
    .andThen((found): Result<void, AccountNotFound> => (found ? ok() : err({ code: 'account_not_found' })))
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

export type DisableAccountDeps = PortMethods<{ accounts: 'disable'; clock: 'nowMicros' }>
export interface DisableAccountInput {
  readonly accountId: Uuid
}
export type DisableAccountError = AccountNotFound | StorageError

/**
 * Disables an account: its access tokens are refused from now on. Its links stay: they belong to their recipients.
 * @errors `account_not_found`
 */
export function disableAccount(
  { accounts, clock }: DisableAccountDeps,
  { accountId }: DisableAccountInput,
): ResultAsync<void, DisableAccountError> {
  return accounts
    .disable(accountId, clock.nowMicros())
    .andThen((found): Result<void, AccountNotFound> => (found ? ok() : err({ code: 'account_not_found' })))
}

export type DeleteAccountDeps = PortMethods<{ accounts: 'beginErasure' | 'eraseBegun' }>
export interface DeleteAccountInput {
  readonly accountId: Uuid
}
export type DeleteAccountError = AccountNotFound | StorageError

/**
 * Erases an account with everything that belongs to it: folders, drafts, secrets with their notes and links, access tokens, sessions,
 * webhooks with the messages that wait. From the first step on the account is deleted: nobody can sign in and no access token is accepted.
 * The rest is erased in batches; when a crash or an error ends this early, the next sweep continues, so such an error is not reported.
 * @errors `account_not_found`; a storage error when nothing was deleted
 */
export function deleteAccount(
  { accounts }: DeleteAccountDeps,
  { accountId }: DeleteAccountInput,
): ResultAsync<void, DeleteAccountError> {
  return new ResultAsync(erase(accounts, accountId))
}

async function erase(
  accounts: DeleteAccountDeps['accounts'],
  accountId: Uuid,
): Promise<Result<void, DeleteAccountError>> {
  const begun = await accounts.beginErasure(accountId)
  if (begun.isErr()) return err(begun.error)
  if (!begun.value) return err({ code: 'account_not_found' })
  const erased = await eraseAll((limit) => accounts.eraseBegun(limit))
  erased.unwrapOr(0)
  return ok()
}
