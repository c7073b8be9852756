import type { StorageHarness } from '@sotto/test-kit'
import { err, ok, okAsync } from 'neverthrow'
import { brokenStore, pause, sameBytes, slowly, type Broken } from './broken.ts'

const changes = brokenStore('emailChanges')
const id = (name: string): string => `email-change-store/${name}`

/** Flaws of the store of waiting changes of email addresses. */
export const brokenEmailChanges: readonly Broken<StorageHarness>[] = [
  changes('cuts the address off', [id('replace-is-found-again')], (store) => ({
    replace: (change, digest) =>
      store.replace({ ...change, email: change.email.slice(0, 64) as typeof change.email }, digest),
  })),
  changes('compares half a digest', [id('find-of-none-is-undefined')], (store, data) => ({
    find: (digest, nowMicros) =>
      store.find(
        data.emailChanges
          .values()
          .find((row) => sameBytes(row.digest.subarray(0, 16), digest.subarray(0, 16)))?.digest ?? digest,
        nowMicros,
      ),
  })),
  changes('keeps the older change', [id('replace-erases-the-older-one')], (store, data) => ({
    replace: (change, digest) =>
      data.emailChanges.has(change.accountId) ? okAsync(undefined) : store.replace(change, digest),
  })),
  changes('erases the changes of all accounts', [id('replace-erases-the-older-one')], (store, data) => ({
    replace(change, digest) {
      data.emailChanges.clear()
      return store.replace(change, digest)
    },
  })),
  changes('stores what it refuses', [id('account-must-be-enabled')], (store, data) => ({
    replace: (change, digest) =>
      store.replace(change, digest).mapErr((error) => {
        data.emailChanges.set(change.accountId, { change, digest })
        return error
      }),
  })),
  changes(
    'finds a change at its expiry',
    [id('is-found-until-it-expires'), id('spend-of-none-is-false')],
    (store) => ({
      find: (digest, nowMicros) => store.find(digest, nowMicros - 1),
      spend: (digest, nowMicros, ...name) => store.spend(digest, nowMicros - 1, ...name),
    }),
  ),
  changes(
    'finds changes of disabled accounts',
    [id('find-of-a-disabled-account-is-undefined')],
    (store, data) => ({
      find: (digest, nowMicros) =>
        store
          .find(digest, nowMicros)
          .map(
            (found) =>
              found ?? data.emailChanges.values().find((row) => sameBytes(row.digest, digest))?.change,
          ),
    }),
  ),
  changes('erases too late', [id('erase-takes-the-expired-up-to-the-limit')], (store) => ({
    eraseExpired: (expiredByMicros, limit) => store.eraseExpired(expiredByMicros - 1, limit),
  })),
  changes('erases too early', [id('erase-takes-the-expired-up-to-the-limit')], (store) => ({
    eraseExpired: (expiredByMicros, limit) => store.eraseExpired(expiredByMicros + 1, limit),
  })),
  changes('ignores the limit', [id('erase-takes-the-expired-up-to-the-limit')], (store) => ({
    eraseExpired: (expiredByMicros) => store.eraseExpired(expiredByMicros, 1_000),
  })),
  brokenStore('accounts')(
    'keeps the change of a renamed account',
    [id('ends-with-what-replaces-its-owner')],
    (store, data) => ({
      rename(account, ...to) {
        const row = data.emailChanges.get(account)
        return store.rename(account, ...to).map(() => {
          if (row) data.emailChanges.set(account, row)
        })
      },
    }),
  ),
  brokenStore('accounts')(
    'keeps the change of an erased account',
    [id('ends-with-what-replaces-its-owner')],
    (store, data) => ({
      beginErasure(account) {
        const row = data.emailChanges.get(account)
        return store.beginErasure(account).map((begun) => {
          if (row) data.emailChanges.set(account, row)
          return begun
        })
      },
    }),
  ),
  brokenStore('passwords')(
    'keeps the change after a new password',
    [id('ends-with-what-replaces-its-owner')],
    (store, data) => ({
      replace(password, options) {
        const row = data.emailChanges.get(password.accountId)
        return store.replace(password, options).map((replaced) => {
          if (row) data.emailChanges.set(password.accountId, row)
          return replaced
        })
      },
    }),
  ),
  brokenStore('invitations')(
    'ends the changes of all accounts',
    [id('ends-with-what-replaces-its-owner')],
    (store, data) => ({
      spend: (digest, left) =>
        store.spend(digest, left).map((spent) => {
          data.emailChanges.clear()
          return spent
        }),
    }),
  ),
  brokenStore('invitations')(
    'keeps the change after a one-time link',
    [id('ends-with-what-replaces-its-owner')],
    (store, data) => ({
      spend(digest, left) {
        const row = data.emailChanges.get(left.password.accountId)
        return store.spend(digest, left).map((spent) => {
          if (row) data.emailChanges.set(left.password.accountId, row)
          return spent
        })
      },
    }),
  ),
  changes('keeps a spent change', [id('spent-change-is-gone'), id('writes-are-durable')], (store, data) => ({
    spend(digest, ...named) {
      const row = data.emailChanges.values().find((each) => sameBytes(each.digest, digest))
      return store.spend(digest, ...named).map((spent) => {
        if (row && spent) data.emailChanges.set(row.change.accountId, row)
        return spent
      })
    },
  })),
  changes('renames under the last index', [id('spend-renames')], (store) => ({
    spend: (digest, nowMicros, name, indexes) =>
      store.spend(digest, nowMicros, name, [indexes.at(-1) ?? indexes[0]]),
  })),
  changes('leaves the one-time link', [id('spend-renames')], (store, data) => ({
    spend(digest, ...named) {
      const invitations = [...data.invitations]
      return store.spend(digest, ...named).map((spent) => {
        for (const [account, row] of invitations) data.invitations.set(account, row)
        return spent
      })
    },
  })),
  changes('erases all one-time links', [id('spend-renames')], (store, data) => ({
    spend: (digest, ...named) =>
      store.spend(digest, ...named).map((spent) => {
        data.invitations.clear()
        return spent
      }),
  })),
  changes('renames although it finds none', [id('spend-of-none-is-false')], (store, data) => ({
    spend: (digest, nowMicros, name, indexes) =>
      store.spend(digest, nowMicros, name, indexes).map((spent) => {
        for (const [account, row] of data.accounts) {
          data.accounts.set(account, { ...row, account: { ...row.account, name } })
        }
        return spent
      }),
  })),
  changes('checks only the first index', [id('refused-spending-changes-nothing')], (store) => ({
    spend: (digest, nowMicros, name, [first]) => store.spend(digest, nowMicros, name, [first]),
  })),
  changes(
    'erases the change although it refuses',
    [id('refused-spending-changes-nothing')],
    (store, data) => ({
      spend: (...asked) =>
        store.spend(...asked).mapErr((error) => {
          data.emailChanges.clear()
          return error
        }),
    }),
  ),
  changes(
    'looks, then spends',
    [id('one-of-parallel-spendings-wins'), id('one-of-spendings-from-two-storages-wins')],
    (store, data) => ({
      spend: (digest, nowMicros, name, [nameIndex]) =>
        slowly(async () => {
          const found = await store.find(digest, nowMicros)
          await pause()
          if (found.isErr()) return err(found.error)
          if (found.value === undefined) return ok(false)
          const { accountId } = found.value
          const row = data.accounts.get(accountId)
          if (row) data.accounts.set(accountId, { account: { ...row.account, name }, nameIndex })
          data.emailChanges.delete(accountId)
          return ok(true)
        }),
    }),
  ),
]
