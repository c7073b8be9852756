import type { AccountExists, AccountNotFound, Encrypted, KeyRetired, Uuid } from '@sotto/core'
import { err, ok, type Result } from 'neverthrow'
import {
  equalBytes,
  keyRetired,
  type AccountRow,
  type MemoryConnection,
  type MemoryData,
} from './memory-data.ts'

/** The account that is stored under any of these indexes. */
export function accountUnder(
  data: MemoryData,
  indexes: readonly Uint8Array[],
  except?: Uuid,
): AccountRow | undefined {
  return data.accounts
    .values()
    .find(
      ({ account, nameIndex }) =>
        account.id !== except && indexes.some((index) => equalBytes(index, nameIndex)),
    )
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
