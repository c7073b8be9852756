import type { Result } from 'neverthrow'
import type { Account } from '../entities/account.ts'
import type { DecryptError } from '../errors.ts'
import type { StoredAccount } from '../ports/account-store.ts'
import type { TextCipher } from '../ports/cipher.ts'

/** A stored account as its operator sees it. */
export function showAccount(cipher: TextCipher, stored: StoredAccount): Result<Account, DecryptError> {
  const { id, createdAtMicros, disabledAtMicros } = stored
  return cipher
    .decryptText({ column: 'account.email', accountId: id, rowId: id }, stored.email)
    .map((email) => ({ id, email, createdAtMicros, disabledAtMicros }))
}
