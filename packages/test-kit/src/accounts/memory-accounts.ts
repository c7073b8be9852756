import type { AccountStore, Language, StoredAccount, Uuid } from '@sotto/core'
import { err, ok } from 'neverthrow'
import { accountUnder, addAccount, refusalOf, renameAccount } from '../stores/memory-account-names.ts'
import { keyRetired, pageOf, type MemoryConnection } from '../stores/memory-data.ts'
import { beginErasure, eraseBegun, type ErasesOf } from './memory-erasure.ts'

/** @param others what an erasure also erases of the account */
export function createMemoryAccounts(connection: MemoryConnection, others: ErasesOf): AccountStore {
  const { data, answer, mayWrite } = connection
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
        const refused = refusalOf(connection, account, nameIndexes)
        if (refused !== undefined) return err(refused)
        addAccount(data, account, nameIndexes)
        return ok()
      }),

    findByName: (nameIndexes) => answer(() => ok(accountUnder(data, nameIndexes)?.account)),

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

    release: (id) => answer(() => ok(change(id, () => ({ isHeld: false })))),

    rename: (id, name, nameIndexes) => answer(() => renameAccount(connection, id, name, nameIndexes)),

    setLanguage: (id, language: Language | undefined) => answer(() => ok(change(id, () => ({ language })))),

    setMails: (id, mails) => answer(() => ok(change(id, () => ({ mails: structuredClone(mails) })))),

    setNotifies: (id, notifies) => answer(() => ok(change(id, () => ({ notifies })))),

    setDisplayName: (id, displayName) =>
      answer(() => {
        if (!data.accounts.has(id)) return ok(false)
        if (displayName !== undefined && !mayWrite(displayName.name)) return err(keyRetired)
        return ok(change(id, () => ({ displayName: structuredClone(displayName) })))
      }),

    beginErasure: (id) => answer(() => ok(beginErasure(data, id, others))),

    eraseBegun: (limit) => answer(() => ok(eraseBegun(data, limit))),
  }
}
