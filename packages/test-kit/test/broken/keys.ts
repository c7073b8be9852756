import type { StorageHarness } from '@sotto/test-kit'
import { err, ok, okAsync } from 'neverthrow'
import { brokenStorage, brokenStore, pause, slowly, type Broken } from './broken.ts'

const keys = brokenStore('keys')

export const brokenKeys: readonly Broken<StorageHarness>[] = [
  keys('lists the latest first', ['key-store/list-is-in-order'], (store) => ({
    list: () => store.list().map((rows) => rows.toReversed()),
  })),
  keys('lists in the order of insertion', ['key-store/list-is-in-order'], (store, data) => ({
    list: () =>
      store
        .list()
        .map((rows) => [...data.keys.keys()].flatMap((kid) => rows.filter((row) => row.kid === kid))),
  })),
  keys('replaces a key that is known', ['key-store/known-key-stays'], (store, data) => ({
    add(key) {
      data.keys.delete(key.kid)
      return store.add(key)
    },
  })),
  brokenStorage(
    'writes under any key',
    [
      'key-store/added-key-is-writable',
      'key-store/retired-key-is-refused',
      'folder-store/retired-key-is-refused',
      'secret-store/retired-key-is-refused',
      'access-token-store/retired-key-is-refused',
      'rewrap-store/text-under-a-retired-key-is-refused',
      'rewrap-store/secret-under-a-retired-key-is-refused',
      'account-store/rename-under-a-retired-key-is-refused',
      'folder-store/relabel-under-a-retired-key-is-refused',
      'draft-store/replace-under-a-retired-key-is-refused',
      'password-store/retired-key-is-refused',
      'welcome-store/retired-key-is-refused',
    ],
    ({ data }) => {
      // Every key counts as known; the list stays what it was.
      data.keys.has = () => true
      return {}
    },
  ),
  keys('counts the rows of folders and secrets only', ['key-store/rows-are-counted'], (store, data) => ({
    list: () =>
      store.list().map((rows) =>
        rows.map((row) => {
          const others = [
            ...data.accounts.values().map(({ account }) => account.name.kid),
            ...data.accessTokens.values().map(({ token }) => token.name.kid),
          ]
          return { ...row, rows: row.rows - others.filter((kid) => kid === row.kid).length }
        }),
      ),
  })),
  keys('counts no passwords', ['key-store/rows-are-counted'], (store, data) => ({
    list: () =>
      store.list().map((rows) =>
        rows.map((row) => {
          const passwords = [...data.passwords.values()].filter(({ hash }) => hash.kid === row.kid)
          return { ...row, rows: row.rows - passwords.length }
        }),
      ),
  })),
  keys('counts no secret without a note', ['key-store/rows-are-counted'], (store, data) => ({
    list: () =>
      store.list().map((rows) =>
        rows.map((row) => {
          const destroyed = [...data.secrets.values()].filter(
            ({ note, secret }) => !note && secret.kid === row.kid,
          )
          return { ...row, rows: row.rows - destroyed.length }
        }),
      ),
  })),
  keys('answers true for every kid', ['key-store/retire-of-none-is-false'], (store) => ({
    retire: (kid) => store.retire(kid).map(() => true),
  })),
  keys(
    'retires keys in use',
    ['key-store/key-in-use-stays', 'key-store/retire-or-write-wins'],
    (_, data) => ({
      retire: (kid) => okAsync(data.keys.delete(kid)),
    }),
  ),
  keys('retires keys in use and answers key_in_use', ['key-store/key-in-use-stays'], (store, data) => ({
    retire: (kid) =>
      store.retire(kid).mapErr((error) => {
        data.keys.delete(kid)
        return error
      }),
  })),
  keys('counts the rows, then retires', ['key-store/retire-or-write-wins'], (store, data) => ({
    retire: (kid) =>
      slowly(async () => {
        const listed = await store.list()
        const rows = listed.isOk() ? (listed.value.find((key) => key.kid === kid)?.rows ?? 0) : 0
        await pause()
        return rows > 0 ? err({ code: 'key_in_use' as const, rows }) : ok(data.keys.delete(kid))
      }),
  })),
]
