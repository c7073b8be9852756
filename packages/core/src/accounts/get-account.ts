import { err, ResultAsync, type Result } from 'neverthrow'
import type { Account } from './account.ts'
import type { Uuid } from '../shared/uuid.ts'
import type { AccountNotFound } from './errors.ts'
import type { DecryptError, StorageError } from '../shared/errors.ts'
import type { AccountStore } from './account-store.ts'
import type { TextCipher } from '../shared/cipher.ts'
import { showAccount } from './accounts.ts'

export interface GetAccountDeps {
  readonly accounts: Pick<AccountStore, 'find'>
  readonly textCipher: Pick<TextCipher, 'decryptText'>
}
export interface GetAccountInput {
  readonly accountId: Uuid
}
export type GetAccountError = AccountNotFound | DecryptError | StorageError

/**
 * The account with this id; disabled ones too.
 * @errors `account_not_found`
 */
export function getAccount(
  deps: GetAccountDeps,
  input: GetAccountInput,
): ResultAsync<Account, GetAccountError> {
  return new ResultAsync(get(deps, input))
}

async function get(
  { accounts, textCipher }: GetAccountDeps,
  { accountId }: GetAccountInput,
): Promise<Result<Account, GetAccountError>> {
  const found = await accounts.find(accountId)
  if (found.isErr()) return err(found.error)
  return found.value === undefined ? err({ code: 'account_not_found' }) : showAccount(textCipher, found.value)
}
