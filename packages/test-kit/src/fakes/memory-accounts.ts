import type { AccountStore } from '@sotto/core'
import { err, ok } from 'neverthrow'
import { equalBytes, keyRetired, pageOf, taken, type MemoryConnection } from './memory-data.ts'

export function createMemoryAccounts({ data, answer, mayWrite }: MemoryConnection): AccountStore {
  const rowUnder = (indexes: readonly Uint8Array[]) =>
    data.accounts.values().find(({ nameIndex }) => indexes.some((index) => equalBytes(index, nameIndex)))
  return {
    insert: (account, nameIndexes) =>
      answer(() => {
        if (rowUnder(nameIndexes) !== undefined) return err({ code: 'account_exists' })
        if (!mayWrite(account.name)) return err(keyRetired)
        if (data.accounts.has(account.id)) return err(taken)
        data.accounts.set(account.id, structuredClone({ account, nameIndex: nameIndexes[0] }))
        return ok()
      }),

    findByName: (nameIndexes) => answer(() => ok(rowUnder(nameIndexes)?.account)),

    page: (after, limit) =>
      answer(() => {
        const accounts = [...data.accounts.values()].map(({ account }) => account)
        return ok(pageOf(accounts, after, limit))
      }),

    disable: (id, atMicros) =>
      answer(() => {
        const row = data.accounts.get(id)
        if (row === undefined) return ok(false)
        const disabledAtMicros = row.account.disabledAtMicros ?? atMicros
        data.accounts.set(id, { ...row, account: { ...row.account, disabledAtMicros } })
        return ok(true)
      }),
  }
}
