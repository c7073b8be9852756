import type { MemoryData, StorageHarness } from '@sotto/test-kit'
import { err, errAsync, ok, okAsync } from 'neverthrow'
import { memoryStorageHarness } from '../harnesses.ts'
import { brokenStorage, brokenStore, pause, slowly, type Broken } from './broken.ts'

const accounts = brokenStore('accounts')

/** Flaws of the erasure of accounts. */
export const brokenAccountErasures: readonly Broken<StorageHarness>[] = [
  accounts(
    'disables an account instead of erasing it',
    [
      'account-store/begun-erasure-hides-the-account',
      'account-store/begun-erasure-frees-the-name',
      'account-store/begun-erasure-lets-nobody-in',
      'account-store/nothing-is-added-to-an-account-that-is-being-erased',
    ],
    (store) => ({ beginErasure: (id) => store.disable(id, 1) }),
  ),
  ...(['accessTokens', 'sessions', 'passwords', 'welcomes'] as const).map((name) =>
    accounts(
      `keeps the ${name} of an account`,
      ['account-store/begun-erasure-lets-nobody-in'],
      (store, data) => ({
        beginErasure(id) {
          const rows: Map<string, unknown> = data[name]
          const kept = new Map(rows)
          return store.beginErasure(id).map((begun) => {
            for (const [each, row] of kept) rows.set(each, row)
            return begun
          })
        },
      }),
    ),
  ),
  accounts('keeps the known addresses', ['account-store/begun-erasure-lets-nobody-in'], (store, data) => ({
    beginErasure(id) {
      const kept = data.knownAddresses
      return store.beginErasure(id).map((begun) => {
        data.knownAddresses = kept
        return begun
      })
    },
  })),
  accounts('ends the sessions of all', ['account-store/begun-erasure-lets-nobody-in'], (store, data) => ({
    beginErasure(id) {
      data.sessions.clear()
      return store.beginErasure(id)
    },
  })),
  accounts('answers true for every account', ['account-store/begin-erasure-of-none-is-false'], (store) => ({
    beginErasure: (id) => store.beginErasure(id).map(() => true),
  })),
  brokenStorage(
    'adds folders to an account that is being erased',
    ['account-store/nothing-is-added-to-an-account-that-is-being-erased'],
    ({ folders, data }) => ({
      folders: {
        ...folders,
        insert(folder) {
          if (!data.erasing.has(folder.accountId)) return folders.insert(folder)
          data.folders.set(folder.id, folder)
          return okAsync(undefined)
        },
      },
    }),
  ),
  accounts(
    'leaves secrets and folders behind',
    [
      'account-store/erase-begun-erases-everything',
      'account-store/erase-begun-goes-in-order-up-to-the-limit',
      'account-store/erasure-is-durable',
    ],
    (_, { erasing }) => ({
      eraseBegun() {
        const erased = erasing.size
        erasing.clear()
        return okAsync(erased)
      },
    }),
  ),
  accounts(
    'erases the secrets of all accounts',
    ['account-store/erase-begun-erases-everything', 'account-store/erase-begun-leaves-accounts-alone'],
    (store, { secrets }) => ({
      eraseBegun: (limit) => store.eraseBegun(limit).map((erased) => (secrets.clear(), erased)),
    }),
  ),
  accounts('ignores the limit', ['account-store/erase-begun-goes-in-order-up-to-the-limit'], (store) => ({
    eraseBegun: () => store.eraseBegun(1_000),
  })),
  accounts(
    'erases folders first',
    ['account-store/erase-begun-goes-in-order-up-to-the-limit'],
    (store, { folders, erasing }) => ({
      eraseBegun(limit) {
        const first = folders.values().find(({ accountId }) => erasing.has(accountId))
        if (first === undefined) return store.eraseBegun(limit)
        folders.delete(first.id)
        return store.eraseBegun(limit - 1).map((erased) => erased + 1)
      },
    }),
  ),
  accounts(
    'erases disabled accounts',
    ['account-store/erase-begun-leaves-accounts-alone'],
    (store, data) => ({
      eraseBegun(limit) {
        for (const { account } of data.accounts.values()) {
          if (account.disabledAtMicros !== undefined) {
            data.accounts.delete(account.id)
            data.erasing.add(account.id)
          }
        }
        return store.eraseBegun(limit)
      },
    }),
  ),
  brokenStorage(
    'looks for the account, then adds',
    ['account-store/no-row-outlives-its-account'],
    ({ folders, data }) => ({
      folders: {
        ...folders,
        insert: (folder) =>
          slowly(async () => {
            if (!data.accounts.has(folder.accountId)) return err({ code: 'account_not_found' })
            await pause()
            await pause()
            data.folders.set(folder.id, folder)
            return ok()
          }),
      },
    }),
  ),
  brokenStorage(
    'counts the name of an account that is being erased',
    ['account-store/begun-erasure-blocks-no-rotation'],
    ({ keys, data }) => ({
      keys: {
        ...keys,
        retire: (kid) =>
          data.erasing.size > 0 ? errAsync({ code: 'key_in_use', rows: 1 }) : keys.retire(kid),
      },
    }),
  ),
  accounts(
    'looks for the account, then begins',
    ['account-store/one-of-parallel-erasures-begins'],
    (store, data) => ({
      beginErasure: (id) =>
        slowly(async () => {
          const isThere = data.accounts.has(id)
          await pause()
          const begun = await store.beginErasure(id)
          return begun.map(() => isThere)
        }),
    }),
  ),
  accounts(
    'counts the rows, then erases them',
    ['account-store/erasures-from-two-storages-count-each-row-once'],
    (store, data) => ({
      eraseBegun: (limit) =>
        slowly(async () => {
          const left = rowsLeft(data)
          await pause()
          const erased = await store.eraseBegun(limit)
          return erased.map(() => Math.min(left, limit))
        }),
    }),
  ),
  {
    flaw: 'forgets which erasures have begun',
    breaks: ['account-store/erasure-is-durable'],
    harness: memoryStorageHarness({
      reopened(data) {
        data.erasing.clear()
        return data
      },
    }),
  },
]

function rowsLeft({ secrets, folders, erasing }: MemoryData): number {
  const isLeft = ({ accountId }: { readonly accountId: string }): boolean => erasing.has(accountId)
  const rows = [...secrets.values()].filter(({ secret }) => isLeft(secret)).length
  return rows + [...folders.values()].filter(isLeft).length + erasing.size
}
