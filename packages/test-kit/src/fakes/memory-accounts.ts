import type { AccountStore } from '@sotto/core'
import { err, ok } from 'neverthrow'
import { equalBytes, keyRetired, mayWrite, sliceOf, taken, type MemoryConnection } from './memory-data.ts'

export function createMemoryAccounts({ data, answer }: MemoryConnection): AccountStore {
  const rowUnder = (indexes: readonly Uint8Array[]) =>
    data.accounts.values().find(({ emailIndex }) => indexes.some((index) => equalBytes(index, emailIndex)))
  return {
    insert: (account, emailIndexes) =>
      answer(() => {
        if (rowUnder(emailIndexes) !== undefined) return err({ code: 'account_exists' })
        if (!mayWrite(data, account.email)) return err(keyRetired)
        if (data.accounts.has(account.id)) return err(taken)
        data.accounts.set(account.id, structuredClone({ account, emailIndex: emailIndexes[0] }))
        return ok()
      }),

    findByEmail: (emailIndexes) => answer(() => ok(rowUnder(emailIndexes)?.account)),

    slice: (after, limit) =>
      answer(() => {
        const accounts = [...data.accounts.values()].map(({ account }) => account)
        return ok(sliceOf(accounts, after, limit))
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
