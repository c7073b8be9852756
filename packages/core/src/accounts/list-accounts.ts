import type { Account } from './account.ts'
import type { KeyUnknown, StorageError } from '../shared/errors.ts'
import type { AccountStore } from './account-store.ts'
import type { TextCipher } from '../shared/cipher.ts'
import { showAccount } from './accounts.ts'
import { creationOf, pagesOf, type ListInput, type Pages } from '../shared/pages.ts'

export interface ListAccountsDeps {
  readonly accounts: Pick<AccountStore, 'page'>
  readonly textCipher: Pick<TextCipher, 'decryptText'>
}
export type ListAccountsInput = ListInput
export type ListAccountsError = KeyUnknown | StorageError

/** Every account, disabled ones included, by creation and id. */
export function listAccounts(
  { accounts, textCipher }: ListAccountsDeps,
  { after: first, pageSize }: ListAccountsInput = {},
): Pages<Account, ListAccountsError> {
  return pagesOf({
    after: first,
    pageSize,
    read: (after, limit) => accounts.page(after, limit),
    cursorOf: creationOf,
    show: (stored) => showAccount(textCipher, stored),
  })
}
