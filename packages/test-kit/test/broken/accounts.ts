import { noonMicros, type StorageHarness } from '@sotto/test-kit'
import { err, ok, okAsync } from 'neverthrow'
import { brokenStorage, pause, slowly, toMillis, type Broken } from './broken.ts'

export const brokenAccounts: readonly Broken<StorageHarness>[] = [
  brokenStorage(
    'loses when an account was disabled',
    ['account-store/insert-is-found-again'],
    ({ accounts }) => ({
      accounts: {
        ...accounts,
        insert: (account, indexes) => accounts.insert({ ...account, disabledAtMicros: undefined }, indexes),
      },
    }),
  ),
  brokenStorage(
    'keeps times to the millisecond',
    ['account-store/insert-is-found-again', 'account-store/slice-is-in-order'],
    ({ accounts }) => ({
      accounts: {
        ...accounts,
        insert: (account, indexes) =>
          accounts.insert({ ...account, createdAtMicros: toMillis(account.createdAtMicros) }, indexes),
      },
    }),
  ),
  brokenStorage(
    'keeps an account under the last index',
    ['account-store/is-kept-under-the-first-index'],
    ({ accounts }) => ({
      accounts: {
        ...accounts,
        insert: (account, indexes) => accounts.insert(account, [indexes.at(-1) ?? indexes[0]]),
      },
    }),
  ),
  brokenStorage('tries the first index only', ['account-store/find-tries-every-index'], ({ accounts }) => ({
    accounts: { ...accounts, findByEmail: (indexes) => accounts.findByEmail(indexes.slice(0, 1)) },
  })),
  brokenStorage(
    'finds somebody when there is nobody',
    ['account-store/find-of-none-is-undefined'],
    (storage) => ({
      accounts: {
        ...storage.accounts,
        findByEmail: (indexes) =>
          storage.accounts
            .findByEmail(indexes)
            .map((found) => found ?? storage.data.accounts.values().next().value?.account),
      },
    }),
  ),
  brokenStorage(
    'asks for the first index only when it adds',
    ['account-store/email-exists-under-any-index'],
    ({ accounts }) => ({
      accounts: { ...accounts, insert: (account, [first]) => accounts.insert(account, [first]) },
    }),
  ),
  brokenStorage(
    'asks whether the email is taken, then adds',
    ['account-store/one-of-parallel-inserts-wins', 'account-store/one-of-inserts-from-two-storages-wins'],
    ({ accounts, data }) => ({
      accounts: {
        ...accounts,
        insert: (account, indexes) =>
          slowly(async () => {
            const found = await accounts.findByEmail(indexes)
            if (found.isErr()) return err(found.error)
            if (found.value !== undefined) return err({ code: 'account_exists' })
            await pause()
            data.accounts.set(account.id, { account, emailIndex: indexes[0] })
            return ok()
          }),
      },
    }),
  ),
  brokenStorage('adds under any key', ['account-store/retired-key-is-refused'], ({ accounts, data }) => ({
    accounts: {
      ...accounts,
      insert: (account, indexes) => {
        const { kid } = account.email
        data.keys.set(kid, { kid, checkValue: new Uint8Array(1), createdAtMicros: 0 })
        return accounts.insert(account, indexes)
      },
    },
  })),
  brokenStorage('adds what it refuses', ['account-store/retired-key-is-refused'], ({ accounts, data }) => ({
    accounts: {
      ...accounts,
      insert: (account, indexes) =>
        accounts.insert(account, indexes).mapErr((error) => {
          data.accounts.set(account.id, { account, emailIndex: indexes[0] })
          return error
        }),
    },
  })),
  brokenStorage('lists the latest first', ['account-store/slice-is-in-order'], ({ accounts }) => ({
    accounts: {
      ...accounts,
      slice: (after, limit) => accounts.slice(after, limit).map((rows) => rows.toReversed()),
    },
  })),
  brokenStorage('goes on by time alone', ['account-store/slice-is-in-order'], ({ accounts }) => ({
    accounts: {
      ...accounts,
      slice: (after, limit) =>
        accounts.slice(after && { createdAtMicros: after.createdAtMicros, id: 'ffffffff' }, limit),
    },
  })),
  brokenStorage(
    'begins with the row it should go on behind',
    ['account-store/slice-is-in-order'],
    (storage) => ({
      accounts: {
        ...storage.accounts,
        slice: (after, limit) =>
          storage.accounts.slice(after && { ...after, id: `${after.id.slice(0, -1)}!` }, limit),
      },
    }),
  ),
  brokenStorage('takes no heed of the limit', ['account-store/slice-is-in-order'], ({ accounts }) => ({
    accounts: { ...accounts, slice: (after) => accounts.slice(after, 1_000) },
  })),
  brokenStorage(
    'goes on behind rows that exist only',
    ['account-store/slice-goes-on-behind-any-position'],
    ({ accounts, data }) => ({
      accounts: {
        ...accounts,
        slice: (after, limit) =>
          after && !data.accounts.has(after.id) ? okAsync([]) : accounts.slice(after, limit),
      },
    }),
  ),
  brokenStorage(
    'disables again with the later moment',
    ['account-store/disable-keeps-the-first-moment'],
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
    'has nothing to disable the second time',
    ['account-store/disable-keeps-the-first-moment'],
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
  brokenStorage(
    'disables whatever it is told',
    ['account-store/disable-of-none-is-false'],
    ({ accounts }) => ({
      accounts: { ...accounts, disable: (id, atMicros) => accounts.disable(id, atMicros).map(() => true) },
    }),
  ),
  brokenStorage(
    'disables everybody',
    ['account-store/disable-concerns-one-account'],
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
