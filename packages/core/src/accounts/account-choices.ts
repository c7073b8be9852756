import { ResultAsync, errAsync } from 'neverthrow'
import { parseLanguage } from '../shared/language.ts'
import type { Uuid } from '../shared/uuid.ts'
import type { AccountNotFound } from './errors.ts'
import type { FieldsInvalid, StorageError } from '../shared/errors.ts'
import type { AccountStore } from './account-store.ts'
import { foundOr } from '../shared/found-or.ts'

export interface SetLanguageDeps {
  readonly accounts: Pick<AccountStore, 'setLanguage'>
}
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

export interface RememberNotifyDeps {
  readonly accounts: Pick<AccountStore, 'setNotifies'>
}
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
