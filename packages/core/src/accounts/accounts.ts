import { err, ok, type Result, type ResultAsync } from 'neverthrow'
import {
  accountNameText,
  defaultMailChoice,
  parseAccountName,
  type Account,
  type AccountName,
} from './account.ts'
import type { Uuid } from '../shared/uuid.ts'
import type { AccountExists } from './errors.ts'
import type {
  DataCorrupted,
  DecryptError,
  FieldsInvalid,
  KeyRetired,
  StorageError,
} from '../shared/errors.ts'
import type { StoredAccount, StoredDisplayName } from './account-store.ts'
import type { TextCipher } from '../shared/cipher.ts'
import type { Encrypted } from '../shared/ciphertext.ts'
import type { Digests } from '../shared/digests.ts'
import type { Clock } from '../shared/clock.ts'
import type { Random } from '../shared/random.ts'
import { emailError, normalizeEmail } from './email.ts'
import { underActiveKey } from '../shared/active-key.ts'
import { invalid } from '../shared/fields.ts'
import { newId } from '../shared/ids.ts'
import type { DepsOf } from '../shared/use-case.ts'

// What the use-cases of accounts have in common.

/** The email that somebody typed, normalised. */
export function readEmail(typed: string): Result<string, FieldsInvalid> {
  const email = normalizeEmail(typed)
  const broken = emailError(email)
  return broken === undefined ? ok(email) : invalid('email', broken)
}

/** What {@link writeName} needs. */
export const writeNameNeeds = [
  'textCipher.encryptText',
  'keyRing.refresh',
  'keyRing.follow',
  'digests.accountIndexes',
] as const

/** What {@link insertAccount} needs. */
export const insertAccountNeeds = [
  ...writeNameNeeds,
  'accounts.insert',
  'clock.nowMicros',
  'random.bytes',
] as const

/** Adds an account with a valid, normalised name. */
export async function insertAccount(
  deps: DepsOf<(typeof insertAccountNeeds)[number]>,
  name: AccountName,
): Promise<Result<Account, AccountExists | KeyRetired | StorageError>> {
  const account = newAccount(deps)
  const inserted = await writeName(deps, account.id, name, (encrypted, indexes) =>
    deps.accounts.insert({ ...account, name: encrypted }, indexes),
  )
  return inserted.isErr() ? err(inserted.error) : ok({ ...account, ...name, displayName: undefined })
}

/** An account that is not stored yet, without its name. */
export function newAccount({
  clock,
  random,
}: {
  readonly clock: Clock
  readonly random: Random
}): Omit<StoredAccount, 'name' | 'displayName'> {
  const createdAtMicros = clock.nowMicros()
  return {
    id: newId(random, createdAtMicros),
    createdAtMicros,
    disabledAtMicros: undefined,
    language: undefined,
    mails: defaultMailChoice,
    notifies: false,
    isHeld: false,
  }
}

/** Writes a valid, normalised name of an account under the active key, with the indexes by which it is found. */
export function writeName<T, E>(
  { textCipher, keyRing, digests }: DepsOf<(typeof writeNameNeeds)[number]>,
  accountId: Uuid,
  name: AccountName,
  write: (name: Encrypted, indexes: ReturnType<Digests['accountIndexes']>) => ResultAsync<T, E | KeyRetired>,
): Promise<Result<T, E | KeyRetired>> {
  // An account under a key that this process has not read yet would not be found by its name.
  keyRing.refresh()
  const text = accountNameText(name)
  const place = { column: 'account.name', accountId, rowId: accountId } as const
  return underActiveKey(keyRing, () =>
    write(textCipher.encryptText(place, text), digests.accountIndexes(text)),
  )
}

/** What {@link findAccountByName} needs. */
export const findByNameNeeds = [
  'accounts.findByName',
  'textCipher.decryptText',
  'digests.accountIndexes',
] as const

/** Ok(undefined) when no account has this name. */
export async function findAccountByName(
  { accounts, textCipher, digests }: DepsOf<(typeof findByNameNeeds)[number]>,
  name: AccountName,
): Promise<Result<Account | undefined, DecryptError | StorageError>> {
  const found = await accounts.findByName(digests.accountIndexes(accountNameText(name)))
  if (found.isErr()) return err(found.error)
  return found.value === undefined ? ok(undefined) : showAccount(textCipher, found.value)
}

/** What {@link ensureNamedAccount} needs. */
export const ensureNamedAccountNeeds = [...insertAccountNeeds, ...findByNameNeeds] as const

/** The account with this valid, normalised name, added when there is none. Several simultaneous calls all get the same account. */
export async function ensureNamedAccount(
  deps: DepsOf<(typeof ensureNamedAccountNeeds)[number]>,
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
  // The account was deleted right after it was added.
  return other.value === undefined ? err({ code: 'storage_unavailable', reason: 'busy' }) : ok(other.value)
}

/** A stored account, decrypted. */
export function showAccount(
  cipher: Pick<TextCipher, 'decryptText'>,
  stored: StoredAccount,
): Result<Account, DecryptError> {
  const { id, createdAtMicros, disabledAtMicros, language, mails, notifies, isHeld } = stored
  const displayName = showDisplayName(cipher, id, stored.displayName)
  return cipher
    .decryptText({ column: 'account.name', accountId: id, rowId: id }, stored.name)
    .andThen((text): Result<Account, DataCorrupted> => {
      const name = parseAccountName(text)
      if (name === undefined) return err({ code: 'data_damaged', what: 'account.name', id })
      const columns = { createdAtMicros, disabledAtMicros, language, mails, notifies, isHeld }
      return ok({ id, ...name, ...columns, displayName })
    })
}

/** A display name, decrypted. One that does not decrypt is left out, as if there were none: `findCorruptedRows` names it. */
export function showDisplayName(
  cipher: Pick<TextCipher, 'decryptText'>,
  accountId: Uuid,
  stored: StoredDisplayName | undefined,
): string | undefined {
  if (stored === undefined) return undefined
  const place = { column: 'account.display_name', accountId, rowId: stored.id } as const
  return cipher.decryptText(place, stored.name).unwrapOr(undefined)
}
