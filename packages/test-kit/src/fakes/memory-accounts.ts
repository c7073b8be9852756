import type { AccountStore, Language, StoredAccount, Uuid } from '@sotto/core'
import { err, ok } from 'neverthrow'
import {
  equalBytes,
  keyRetired,
  pageOf,
  taken,
  type AccountRow,
  type MemoryConnection,
} from './memory-data.ts'
import { beginErasure, eraseBegun } from './memory-erasure.ts'

export function createMemoryAccounts({ data, answer, mayWrite }: MemoryConnection): AccountStore {
  const rowUnder = (indexes: readonly Uint8Array[], except?: Uuid): AccountRow | undefined =>
    data.accounts
      .values()
      .find(
        ({ account, nameIndex }) =>
          account.id !== except && indexes.some((index) => equalBytes(index, nameIndex)),
      )
  const change = (id: Uuid, columns: (account: StoredAccount) => Partial<StoredAccount>): boolean => {
    const row = data.accounts.get(id)
    if (row !== undefined) {
      data.accounts.set(id, { ...row, account: { ...row.account, ...columns(row.account) } })
    }
    return row !== undefined
  }
  return {
    insert: (account, nameIndexes) =>
      answer(() => {
        if (rowUnder(nameIndexes) !== undefined) return err({ code: 'account_exists' })
        if (!mayWrite(account.name)) return err(keyRetired)
        if (data.accounts.has(account.id) || data.erasing.has(account.id)) return err(taken)
        data.accounts.set(account.id, structuredClone({ account, nameIndex: nameIndexes[0] }))
        return ok()
      }),

    findByName: (nameIndexes) => answer(() => ok(rowUnder(nameIndexes)?.account)),

    find: (id) => answer(() => ok(data.accounts.get(id)?.account)),

    page: (after, limit) =>
      answer(() => {
        const accounts = [...data.accounts.values()].map(({ account }) => account)
        return ok(pageOf(accounts, after, limit))
      }),

    disable: (id, atMicros) =>
      answer(() =>
        ok(change(id, ({ disabledAtMicros }) => ({ disabledAtMicros: disabledAtMicros ?? atMicros }))),
      ),

    rename: (id, name, nameIndexes) =>
      answer(() => {
        const account = data.accounts.get(id)?.account
        if (account === undefined) return err({ code: 'account_not_found' })
        if (rowUnder(nameIndexes, id) !== undefined) return err({ code: 'account_exists' })
        if (!mayWrite(name)) return err(keyRetired)
        const row = { account: { ...account, name }, nameIndex: nameIndexes[0] }
        data.accounts.set(id, structuredClone(row))
        data.welcomes.delete(id)
        return ok()
      }),

    setLanguage: (id, language: Language | undefined) => answer(() => ok(change(id, () => ({ language })))),

    setMails: (id, mails) => answer(() => ok(change(id, () => ({ mails: structuredClone(mails) })))),

    beginErasure: (id) => answer(() => ok(beginErasure(data, id))),

    eraseBegun: (limit) => answer(() => ok(eraseBegun(data, limit))),
  }
}
