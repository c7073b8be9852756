import { err, ok, type Result } from 'neverthrow'
import {
  accountNameText,
  defaultMailChoice,
  parseAccountName,
  type Account,
  type AccountName,
} from '../entities/account.ts'
import type { AccountExists, DataDamaged, DecryptError, KeyRetired, StorageError } from '../errors.ts'
import type { StoredAccount } from '../ports/account-store.ts'
import type { TextCipher } from '../ports/cipher.ts'
import type { Ports } from '../ports/ports.ts'
import { underActiveKey } from './active-key.ts'
import { newId } from './ids.ts'

// What the use-cases of accounts have in common.

export type InsertAccountDeps = Pick<
  Ports,
  'accounts' | 'textCipher' | 'keyRing' | 'digests' | 'clock' | 'random'
>

/** Adds an account with a valid, normalised name. */
export async function insertAccount(
  { accounts, textCipher, keyRing, digests, clock, random }: InsertAccountDeps,
  name: AccountName,
): Promise<Result<Account, AccountExists | KeyRetired | StorageError>> {
  // An account under a key that this process has not read yet would not be found by its name.
  keyRing.refresh()
  const createdAtMicros = clock.nowMicros()
  const id = newId(random, createdAtMicros)
  const account = {
    id,
    createdAtMicros,
    disabledAtMicros: undefined,
    language: undefined,
    mails: defaultMailChoice,
  }
  const text = accountNameText(name)
  const inserted = await underActiveKey(keyRing, () => {
    const encrypted = textCipher.encryptText({ column: 'account.name', accountId: id, rowId: id }, text)
    return accounts.insert({ ...account, name: encrypted }, digests.accountIndexes(text))
  })
  return inserted.isErr() ? err(inserted.error) : ok({ ...account, ...name })
}

export type FindAccountByNameDeps = Pick<Ports, 'accounts' | 'textCipher' | 'keyRing' | 'digests'>

/** Ok(undefined) when no account has this name. */
export async function findAccountByName(
  { accounts, textCipher, digests }: FindAccountByNameDeps,
  name: AccountName,
): Promise<Result<Account | undefined, DecryptError | StorageError>> {
  const found = await accounts.findByName(digests.accountIndexes(accountNameText(name)))
  if (found.isErr()) return err(found.error)
  return found.value === undefined ? ok(undefined) : showAccount(textCipher, found.value)
}

/** The account with this valid, normalised name, added when there is none. Of several calls at once all get the same account. */
export async function ensureNamedAccount(
  deps: InsertAccountDeps,
  name: AccountName,
): Promise<Result<Account, DecryptError | KeyRetired | StorageError>> {
  const found = await findAccountByName(deps, name)
  if (found.isErr()) return err(found.error)
  if (found.value !== undefined) return ok(found.value)
  const inserted = await insertAccount(deps, name)
  if (inserted.isOk()) return ok(inserted.value)
  if (inserted.error.code !== 'account_exists') return err(inserted.error)
  // Another call added it first.
  const other = await findAccountByName(deps, name)
  if (other.isErr()) return err(other.error)
  // It was deleted at once.
  return other.value === undefined ? err({ code: 'storage_unavailable', reason: 'busy' }) : ok(other.value)
}

/** A stored account, decrypted. */
export function showAccount(cipher: TextCipher, stored: StoredAccount): Result<Account, DecryptError> {
  const { id, createdAtMicros, disabledAtMicros, language, mails } = stored
  return cipher
    .decryptText({ column: 'account.name', accountId: id, rowId: id }, stored.name)
    .andThen((text): Result<Account, DataDamaged> => {
      const name = parseAccountName(text)
      if (name === undefined) return err({ code: 'data_damaged', what: 'account.name', id })
      return ok({ id, ...name, createdAtMicros, disabledAtMicros, language, mails })
    })
}
