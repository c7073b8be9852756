import type { StorageHarness } from '@sotto/test-kit'
import { ok, okAsync } from 'neverthrow'
import { brokenStore, pause, sameBytes, slowly, type Broken } from './broken.ts'

const welcomes = brokenStore('welcomes')

/** Flaws of storing and finding one-time links. */
export const brokenWelcomes: readonly Broken<StorageHarness>[] = [
  welcomes('takes every link for an invitation', ['welcome-store/replace-is-found-again'], (store) => ({
    replace: (welcome, digest) => store.replace({ ...welcome, kind: 'invite' }, digest),
  })),
  welcomes('finds some link', ['welcome-store/find-of-none-is-undefined'], (store, data) => ({
    find: (digest, nowMicros) =>
      store.find(digest, nowMicros).map((found) => found ?? data.welcomes.values().next().value?.welcome),
  })),
  welcomes(
    'finds the link of an account whatever the time and the account',
    ['welcome-store/find-of-account-is-like-find'],
    (_, data) => ({ findOfAccount: (accountId) => okAsync(data.welcomes.get(accountId)?.welcome) }),
  ),
  welcomes('finds no link of an account', ['welcome-store/find-of-account-is-like-find'], () => ({
    findOfAccount: () => okAsync(undefined),
  })),
  welcomes('keeps the first link', ['welcome-store/replace-erases-the-older-one'], (store, data) => ({
    replace: (welcome, digest) =>
      data.welcomes.has(welcome.accountId) ? okAsync(undefined) : store.replace(welcome, digest),
  })),
  welcomes(
    'erases the links of all accounts',
    ['welcome-store/replace-erases-the-older-one'],
    (store, data) => ({
      replace(welcome, digest) {
        data.welcomes.clear()
        return store.replace(welcome, digest)
      },
    }),
  ),
  welcomes(
    'stores links of unknown and disabled accounts',
    ['welcome-store/account-must-be-enabled'],
    (_, data) => ({
      replace(welcome, digest) {
        data.welcomes.set(welcome.accountId, { welcome, digest })
        return okAsync(undefined)
      },
    }),
  ),
  welcomes('stores what it refuses', ['welcome-store/account-must-be-enabled'], (store, data) => ({
    replace: (welcome, digest) =>
      store.replace(welcome, digest).mapErr((error) => {
        data.welcomes.set(welcome.accountId, { welcome, digest })
        return error
      }),
  })),
  welcomes(
    'finds a link at its expiry',
    ['welcome-store/is-found-until-it-expires', 'welcome-store/spend-of-none-is-false'],
    (store) => ({
      find: (digest, nowMicros) => store.find(digest, nowMicros - 1),
      spend: (digest, left) => store.spend(digest, { ...left, nowMicros: left.nowMicros - 1 }),
    }),
  ),
  welcomes(
    'finds links of disabled accounts',
    ['welcome-store/find-of-a-disabled-account-is-undefined'],
    (store, data) => ({
      find: (digest, nowMicros) =>
        store
          .find(digest, nowMicros)
          .map(
            (found) => found ?? data.welcomes.values().find((row) => sameBytes(row.digest, digest))?.welcome,
          ),
    }),
  ),
  welcomes('erases too late', ['welcome-store/erase-takes-the-expired'], (store) => ({
    eraseExpired: (expiredByMicros, limit) => store.eraseExpired(expiredByMicros - 1, limit),
  })),
  welcomes('erases too early', ['welcome-store/erase-takes-the-expired'], (store) => ({
    eraseExpired: (expiredByMicros, limit) => store.eraseExpired(expiredByMicros + 1, limit),
  })),
  welcomes('ignores the limit', ['welcome-store/erase-stops-at-the-limit'], (store) => ({
    eraseExpired: (expiredByMicros) => store.eraseExpired(expiredByMicros, 1_000),
  })),
]

/** Flaws of spending one-time links. */
export const brokenWelcomeSpendings: readonly Broken<StorageHarness>[] = [
  welcomes(
    'keeps a spent link',
    ['welcome-store/spent-link-is-gone', 'welcome-store/writes-are-durable'],
    (store, data) => ({
      spend(digest, left) {
        const row = data.welcomes.get(left.password.accountId)
        return store.spend(digest, left).map((spent) => {
          if (row && spent) data.welcomes.set(row.welcome.accountId, row)
          return spent
        })
      },
    }),
  ),
  welcomes('erases all links', ['welcome-store/spent-link-is-gone'], (store, data) => ({
    spend: (digest, left) =>
      store.spend(digest, left).map((spent) => {
        data.welcomes.clear()
        return spent
      }),
  })),
  welcomes(
    'keeps the password that there was',
    ['welcome-store/spend-sets-the-password-and-signs-in'],
    (store, data) => ({
      spend(digest, left) {
        const { accountId } = left.password
        const before = data.passwords.get(accountId)
        return store.spend(digest, left).map((spent) => {
          if (before) data.passwords.set(accountId, before)
          return spent
        })
      },
    }),
  ),
  welcomes(
    'adds no session',
    ['welcome-store/spend-sets-the-password-and-signs-in', 'welcome-store/spendings-are-durable'],
    (store, data) => ({
      spend: (digest, left) =>
        store.spend(digest, left).map((spent) => {
          data.sessions.delete(left.session.id)
          return spent
        }),
    }),
  ),
  welcomes('keeps older sessions', ['welcome-store/spend-ends-all-older-sessions'], (store, data) => ({
    spend(digest, left) {
      const before = [...data.sessions]
      return store.spend(digest, left).map((spent) => {
        for (const [id, row] of before) data.sessions.set(id, row)
        return spent
      })
    },
  })),
  welcomes(
    'ends the sessions of all accounts',
    ['welcome-store/spend-ends-all-older-sessions'],
    (store, { sessions }) => ({
      spend: (digest, left) =>
        store.spend(digest, left).map((spent) => {
          for (const id of sessions.keys()) if (id !== left.session.id) sessions.delete(id)
          return spent
        }),
    }),
  ),
  welcomes('spends links that it does not find', ['welcome-store/spend-of-none-is-false'], (store, data) => ({
    spend: (digest, left) =>
      store.spend(digest, left).map((spent) => {
        data.passwords.set(left.password.accountId, left.password)
        return spent
      }),
  })),
  welcomes('ends sessions before it looks', ['welcome-store/spend-of-none-is-false'], (store, data) => ({
    spend(digest, left) {
      data.sessions.clear()
      return store.spend(digest, left)
    },
  })),
  welcomes(
    'erases the link although it refuses',
    ['welcome-store/retired-key-is-refused'],
    (store, data) => ({
      spend: (digest, left) =>
        store.spend(digest, left).mapErr((error) => {
          data.welcomes.delete(left.password.accountId)
          return error
        }),
    }),
  ),
  welcomes(
    'sets the password although it refuses',
    ['welcome-store/retired-key-is-refused'],
    (store, data) => ({
      spend: (digest, left) =>
        store.spend(digest, left).mapErr((error) => {
          data.passwords.set(left.password.accountId, left.password)
          return error
        }),
    }),
  ),
  welcomes(
    'looks, then spends',
    ['welcome-store/one-of-parallel-spendings-wins', 'welcome-store/one-of-spendings-from-two-storages-wins'],
    (store, data) => ({
      spend: (digest, { nowMicros, password, session, sessionDigest }) =>
        slowly(async () => {
          const found = await store.find(digest, nowMicros)
          await pause()
          if (found.isErr() || found.value === undefined) return ok(false)
          data.welcomes.delete(password.accountId)
          data.passwords.set(password.accountId, password)
          data.sessions.set(session.id, { session, digest: sessionDigest })
          return ok(true)
        }),
    }),
  ),
]
