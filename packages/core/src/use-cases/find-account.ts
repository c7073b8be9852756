import { err, ResultAsync, type Result } from 'neverthrow'
import type { Account } from '../entities/account.ts'
import type { AccountNotFound, DecryptError, StorageError } from '../errors.ts'
import type { Ports } from '../ports/ports.ts'
import { normalizeEmail } from '../rules/fields.ts'
import { showAccount } from './show-account.ts'

type FindAccountPorts = Pick<Ports, 'accounts' | 'textCipher' | 'digests'>
type FindAccountError = AccountNotFound | DecryptError | StorageError

/** The account with this email, whatever its case; disabled ones too. */
export function findAccount(
  ports: FindAccountPorts,
  input: { readonly email: string },
): ResultAsync<Account, FindAccountError> {
  return new ResultAsync(find(ports, normalizeEmail(input.email)))
}

async function find(
  { accounts, textCipher, digests }: FindAccountPorts,
  email: string,
): Promise<Result<Account, FindAccountError>> {
  const found = await accounts.findByEmail(digests.emailIndexes(email))
  if (found.isErr()) return err(found.error)
  return found.value === undefined ? err({ code: 'account_not_found' }) : showAccount(textCipher, found.value)
}
