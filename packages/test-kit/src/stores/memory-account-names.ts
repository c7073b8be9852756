import type {
  AccountExists,
  AccountNotFound,
  Encrypted,
  KeyRetired,
  StorageFailed,
  StoredAccount,
  Uuid,
} from '@sotto/core'
import { err, ok, type Result } from 'neverthrow'
import {
  equalBytes,
  keyRetired,
  taken,
  type AccountRow,
  type MemoryConnection,
  type MemoryData,
} from './memory-data.ts'

type NewAccount = Omit<StoredAccount, 'displayName'>

/** Why an account cannot be added. */
export function refusalOf(
  { data, mayWrite }: MemoryConnection,
  { id, name }: NewAccount,
  nameIndexes: readonly Uint8Array[],
): AccountExists | KeyRetired | StorageFailed | undefined {
  if (accountUnder(data, nameIndexes) !== undefined) return { code: 'account_exists' }
  if (!mayWrite(name)) return keyRetired
  return data.accounts.has(id) || data.erasing.has(id) ? taken : undefined
}

/** Adds an account, to be found by the first of the indexes. */
export function addAccount(
  { accounts }: MemoryData,
  account: NewAccount,
  [nameIndex]: readonly [Uint8Array, ...Uint8Array[]],
): void {
  accounts.set(account.id, structuredClone({ account: { ...account, displayName: undefined }, nameIndex }))
}

/** The account that is stored under any of these indexes; under the first of them, if there are several. */
export function accountUnder(
  data: MemoryData,
  indexes: readonly Uint8Array[],
  except?: Uuid,
): AccountRow | undefined {
  const others = [...data.accounts.values()].filter(({ account }) => account.id !== except)
  return indexes.flatMap((index) => others.filter(({ nameIndex }) => equalBytes(index, nameIndex))).at(0)
}

/** Renames an account, inside a method. */
export function renameAccount(
  { data, mayWrite }: MemoryConnection,
  id: Uuid,
  name: Encrypted,
  nameIndexes: readonly [Uint8Array, ...Uint8Array[]],
): Result<void, AccountNotFound | AccountExists | KeyRetired> {
  const account = data.accounts.get(id)?.account
  if (account === undefined) return err({ code: 'account_not_found' })
  if (accountUnder(data, nameIndexes, id) !== undefined) return err({ code: 'account_exists' })
  if (!mayWrite(name)) return err(keyRetired)
  data.accounts.set(id, structuredClone({ account: { ...account, name }, nameIndex: nameIndexes[0] }))
  data.invitations.delete(id)
  data.emailChanges.delete(id)
  return ok()
}
