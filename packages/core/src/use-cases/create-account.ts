import { err, ok, ResultAsync, type Result } from 'neverthrow'
import type { Account } from '../entities/account.ts'
import { uuidV7, uuidV7RandomBytes } from '../entities/uuid.ts'
import type { AccountExists, FieldsInvalid, KeyRetired, StorageError } from '../errors.ts'
import type { Ports } from '../ports/ports.ts'
import { emailFault, normalizeEmail } from '../rules/fields.ts'
import { underActiveKey } from './active-key.ts'

type CreateAccountPorts = Pick<Ports, 'accounts' | 'textCipher' | 'keyRing' | 'digests' | 'clock' | 'random'>
type CreateAccountError = FieldsInvalid | AccountExists | KeyRetired | StorageError

/**
 * Adds an account.
 * @errors `account_exists` when an account has this email already, whatever its case; `fields_invalid`
 */
export function createAccount(
  ports: CreateAccountPorts,
  input: { readonly email: string },
): ResultAsync<Account, CreateAccountError> {
  return new ResultAsync(create(ports, normalizeEmail(input.email)))
}

async function create(
  { accounts, textCipher, keyRing, digests, clock, random }: CreateAccountPorts,
  email: string,
): Promise<Result<Account, CreateAccountError>> {
  const fault = emailFault(email)
  if (fault !== undefined) return err({ code: 'fields_invalid', faults: [{ field: 'email', ...fault }] })
  // An account kept under a key that this process has not met yet would not be found by its email.
  keyRing.refresh()
  const nowMicros = clock.nowMicros()
  const id = uuidV7(nowMicros, random.bytes(uuidV7RandomBytes))
  const account = { id, createdAtMicros: nowMicros, disabledAtMicros: undefined }
  const inserted = await underActiveKey(keyRing, () => {
    const encrypted = textCipher.encryptText({ column: 'account.email', accountId: id, rowId: id }, email)
    return accounts.insert({ ...account, email: encrypted }, digests.emailIndexes(email))
  })
  return inserted.isErr() ? err(inserted.error) : ok({ ...account, email })
}
