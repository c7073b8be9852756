import { err, errAsync, ok, type Result, type ResultAsync } from 'neverthrow'
import { parseLanguage } from '../entities/language.ts'
import type { Uuid } from '../entities/uuid.ts'
import type { AccountNotFound, FieldsInvalid, StorageError } from '../errors.ts'
import type { PortMethods } from '../ports/ports.ts'

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
