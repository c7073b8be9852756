import { noonMicros, type StorageHarness } from '@sotto/test-kit'
import { err, ok, okAsync } from 'neverthrow'
import { brokenStorage, pause, slowly, toMillis, type Broken } from './broken.ts'

export const brokenAccounts: readonly Broken<StorageHarness>[] = [
  brokenStorage(
    'loses the time when an account was disabled',
    ['account-store/insert-is-found-again'],
    ({ accounts }) => ({
      accounts: {
        ...accounts,
        insert: (account, indexes) => accounts.insert({ ...account, disabledAtMicros: undefined }, indexes),
      },
    }),
  ),
  brokenStorage(
    'stores times to the millisecond',
    ['account-store/insert-is-found-again', 'account-store/page-is-in-order'],
    ({ accounts }) => ({
      accounts: {
        ...accounts,
        insert: (account, indexes) =>
          accounts.insert({ ...account, createdAtMicros: toMillis(account.createdAtMicros) }, indexes),
      },
    }),
  ),
  brokenStorage(
    'finds the first account',
    ['account-store/find-distinguishes-names'],
    ({ accounts, data }) => ({
      accounts: {
        ...accounts,
        findByName: () => okAsync(data.accounts.values().next().value?.account),
      },
    }),
  ),
  brokenStorage(
    'replaces an account with the same id',
    ['account-store/id-belongs-to-one-account'],
    ({ accounts, data }) => ({
      accounts: {
        ...accounts,
        insert(account, indexes) {
          data.accounts.delete(account.id)
          return accounts.insert(account, indexes)
        },
      },
    }),
  ),
  brokenStorage(
    'stores an account under the last index',
    ['account-store/is-stored-under-the-first-index'],
    ({ accounts }) => ({
      accounts: {
        ...accounts,
        insert: (account, indexes) => accounts.insert(account, [indexes.at(-1) ?? indexes[0]]),
      },
    }),
  ),
  brokenStorage('tries the first index only', ['account-store/find-tries-every-index'], ({ accounts }) => ({
    accounts: { ...accounts, findByName: (indexes) => accounts.findByName(indexes.slice(0, 1)) },
  })),
  brokenStorage(
    'finds some account when there is none',
    ['account-store/find-of-none-is-undefined'],
    (storage) => ({
      accounts: {
        ...storage.accounts,
        findByName: (indexes) =>
          storage.accounts
            .findByName(indexes)
            .map((found) => found ?? storage.data.accounts.values().next().value?.account),
      },
    }),
  ),
  brokenStorage(
    'checks only the first index on insert',
    ['account-store/name-exists-under-any-index'],
    ({ accounts }) => ({
      accounts: { ...accounts, insert: (account, [first]) => accounts.insert(account, [first]) },
    }),
  ),
  brokenStorage(
    'checks whether the name is taken, then inserts',
    ['account-store/one-of-parallel-inserts-wins', 'account-store/one-of-inserts-from-two-storages-wins'],
    ({ accounts, data }) => ({
      accounts: {
        ...accounts,
        insert: (account, indexes) =>
          slowly(async () => {
            const found = await accounts.findByName(indexes)
            if (found.isErr()) return err(found.error)
            if (found.value !== undefined) return err({ code: 'account_exists' })
            await pause()
            data.accounts.set(account.id, { account, nameIndex: indexes[0] })
            return ok()
          }),
      },
    }),
  ),
  brokenStorage('inserts under any key', ['account-store/retired-key-is-refused'], ({ accounts, data }) => ({
    accounts: {
      ...accounts,
      insert: (account, indexes) => {
        const { kid } = account.name
        data.keys.set(kid, { kid, checkValue: new Uint8Array(1), createdAtMicros: 0 })
        return accounts.insert(account, indexes)
      },
    },
  })),
  brokenStorage(
    'inserts what it refuses',
    ['account-store/retired-key-is-refused'],
    ({ accounts, data }) => ({
      accounts: {
        ...accounts,
        insert: (account, indexes) =>
          accounts.insert(account, indexes).mapErr((error) => {
            data.accounts.set(account.id, { account, nameIndex: indexes[0] })
            return error
          }),
      },
    }),
  ),
  brokenStorage('lists the latest first', ['account-store/page-is-in-order'], ({ accounts }) => ({
    accounts: {
      ...accounts,
      page: (after, limit) => accounts.page(after, limit).map((rows) => rows.toReversed()),
    },
  })),
  brokenStorage('compares only the time of a cursor', ['account-store/page-is-in-order'], ({ accounts }) => ({
    accounts: {
      ...accounts,
      page: (after, limit) =>
        accounts.page(after && { createdAtMicros: after.createdAtMicros, id: 'ffffffff' }, limit),
    },
  })),
  brokenStorage(
    'starts a page with the row at the cursor',
    ['account-store/page-is-in-order'],
    (storage) => ({
      accounts: {
        ...storage.accounts,
        page: (after, limit) =>
          storage.accounts.page(after && { ...after, id: `${after.id.slice(0, -1)}!` }, limit),
      },
    }),
  ),
  brokenStorage('ignores the limit', ['account-store/page-is-in-order'], ({ accounts }) => ({
    accounts: { ...accounts, page: (after) => accounts.page(after, 1_000) },
  })),
  brokenStorage(
    'knows only cursors at existing rows',
    ['account-store/page-starts-after-any-cursor'],
    ({ accounts, data }) => ({
      accounts: {
        ...accounts,
        page: (after, limit) =>
          after && !data.accounts.has(after.id) ? okAsync([]) : accounts.page(after, limit),
      },
    }),
  ),
  brokenStorage(
    'disables again at the later time',
    ['account-store/disable-keeps-the-first-time'],
    ({ accounts, data }) => ({
      accounts: {
        ...accounts,
        disable(id, atMicros) {
          const row = data.accounts.get(id)
          if (row) data.accounts.set(id, { ...row, account: { ...row.account, disabledAtMicros: undefined } })
          return accounts.disable(id, atMicros)
        },
      },
    }),
  ),
  brokenStorage(
    'answers false for an account that is disabled already',
    ['account-store/disable-keeps-the-first-time'],
    ({ accounts, data }) => ({
      accounts: {
        ...accounts,
        disable: (id, atMicros) =>
          data.accounts.get(id)?.account.disabledAtMicros === undefined
            ? accounts.disable(id, atMicros)
            : okAsync(false),
      },
    }),
  ),
  brokenStorage('answers true for every id', ['account-store/disable-of-none-is-false'], ({ accounts }) => ({
    accounts: { ...accounts, disable: (id, atMicros) => accounts.disable(id, atMicros).map(() => true) },
  })),
  brokenStorage(
    'disables all accounts',
    ['account-store/disable-changes-one-account'],
    ({ accounts, data }) => ({
      accounts: {
        ...accounts,
        disable(id, atMicros) {
          for (const [each, row] of data.accounts) {
            data.accounts.set(each, { ...row, account: { ...row.account, disabledAtMicros: noonMicros } })
          }
          return accounts.disable(id, atMicros)
        },
      },
    }),
  ),
]
