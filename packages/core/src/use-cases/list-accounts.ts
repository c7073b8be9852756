import type { Account } from '../entities/account.ts'
import type { DecryptError, StorageError } from '../errors.ts'
import type { Ports } from '../ports/ports.ts'
import { showAccount } from './show-account.ts'
import { slicesOf, type Slices } from './slices.ts'

/** Every account, disabled ones included, by creation and id. */
export function listAccounts({
  accounts,
  textCipher,
}: Pick<Ports, 'accounts' | 'textCipher'>): Slices<Account, DecryptError | StorageError> {
  return slicesOf({
    read: (after, limit) => accounts.slice(after, limit),
    positionOf: ({ createdAtMicros, id }) => ({ createdAtMicros, id }),
    show: (stored) => showAccount(textCipher, stored),
  })
}
