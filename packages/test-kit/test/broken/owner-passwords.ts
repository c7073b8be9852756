import type { StorageHarness } from '@sotto/test-kit'
import { ok, okAsync } from 'neverthrow'
import { brokenStore, pause, slowly, toMillis, type Broken } from './broken.ts'

const passwords = brokenStore('passwords')

/** Flaws of the passwords of accounts. */
export const brokenOwnerPasswords: readonly Broken<StorageHarness>[] = [
  passwords(
    'gives times to the millisecond',
    ['password-store/find-gives-the-password-of-the-account'],
    (store) => ({
      find: (accountId) =>
        store
          .find(accountId)
          .map((found) => found && { ...found, createdAtMicros: toMillis(found.createdAtMicros) }),
    }),
  ),
  passwords('finds some password', ['password-store/find-of-none-is-undefined'], (_, data) => ({
    find: (accountId) => okAsync(data.passwords.get(accountId) ?? data.passwords.values().next().value),
  })),
  passwords('does not replace the password', ['password-store/replace-sets-the-password'], (store) => ({
    replace: ({ accountId }, { expectedId }) =>
      store.find(accountId).map((found) => found?.id === expectedId),
  })),
  passwords('replaces all passwords', ['password-store/replace-sets-the-password'], (store, data) => ({
    replace: (password, options) =>
      store.replace(password, options).map((done) => {
        for (const id of data.passwords.keys()) data.passwords.set(id, password)
        return done
      }),
  })),
  passwords('keeps no session', ['password-store/replace-ends-the-other-sessions'], (store, data) => ({
    replace: (password, options) =>
      store.replace(password, options).map((done) => {
        if (done) data.sessions.delete(options.keepSessionId)
        return done
      }),
  })),
  passwords(
    'replaces for a session that was ended',
    ['password-store/replace-by-an-ended-session-is-false'],
    (store, { sessions }) => ({
      replace(password, options) {
        const own = sessions.values().find(({ session }) => session.accountId === password.accountId)
        const keepSessionId = sessions.has(options.keepSessionId) ? options.keepSessionId : own?.session.id
        return store.replace(password, { ...options, keepSessionId: keepSessionId ?? '' })
      },
    }),
  ),
  passwords(
    'replaces for the session of another account',
    ['password-store/replace-by-an-ended-session-is-false'],
    (store, { sessions }) => ({
      replace(password, options) {
        const other = sessions.get(options.keepSessionId)?.session
        const own = sessions.values().find(({ session }) => session.accountId === password.accountId)
        const isOther = other !== undefined && other.accountId !== password.accountId
        const keepSessionId = isOther ? (own?.session.id ?? '') : options.keepSessionId
        return store.replace(password, { ...options, keepSessionId })
      },
    }),
  ),
  passwords('keeps all sessions', ['password-store/replace-ends-the-other-sessions'], (_, data) => ({
    replace(password) {
      data.passwords.set(password.accountId, password)
      return okAsync(true)
    },
  })),
  passwords('keeps the one-time link', ['password-store/replace-erases-the-one-time-link'], (_, data) => ({
    replace(password, { keepSessionId }) {
      data.passwords.set(password.accountId, password)
      for (const [id, { session }] of data.sessions)
        if (session.accountId === password.accountId && id !== keepSessionId) data.sessions.delete(id)
      return okAsync(true)
    },
  })),
  passwords(
    'ends the sessions of all accounts',
    ['password-store/replace-ends-the-other-sessions'],
    (store, { sessions }) => ({
      replace: (password, options) =>
        store.replace(password, options).map((done) => {
          for (const id of sessions.keys()) if (id !== options.keepSessionId) sessions.delete(id)
          return done
        }),
    }),
  ),
  passwords(
    'replaces whatever the password is',
    [
      'password-store/replace-of-another-password-is-false',
      'password-store/one-of-parallel-replacements-wins',
    ],
    (store, data) => ({
      replace: (password, options) =>
        store.replace(password, {
          ...options,
          expectedId: data.passwords.get(password.accountId)?.id ?? options.expectedId,
        }),
    }),
  ),
  passwords(
    'sets the first password',
    ['password-store/replace-of-another-password-is-false'],
    (store, data) => ({
      replace(password, options) {
        if (data.passwords.has(password.accountId)) return store.replace(password, options)
        data.passwords.set(password.accountId, password)
        return okAsync(false)
      },
    }),
  ),
  passwords(
    'ends sessions before it compares',
    ['password-store/replace-of-another-password-is-false', 'password-store/retired-key-is-refused'],
    (store, { sessions }) => ({
      replace(password, options) {
        for (const { session } of sessions.values()) {
          if (session.id !== options.keepSessionId) sessions.delete(session.id)
        }
        return store.replace(password, options)
      },
    }),
  ),
  passwords('replaces although it refuses', ['password-store/retired-key-is-refused'], (store, data) => ({
    replace: (password, options) =>
      store.replace(password, options).mapErr((error) => {
        data.passwords.set(password.accountId, password)
        return error
      }),
  })),
  passwords(
    'compares, then replaces',
    [
      'password-store/one-of-parallel-replacements-wins',
      'password-store/one-of-replacements-from-two-storages-wins',
    ],
    (_, data) => ({
      replace: (password, { expectedId }) =>
        slowly(async () => {
          const isExpected = data.passwords.get(password.accountId)?.id === expectedId
          await pause()
          if (isExpected) data.passwords.set(password.accountId, password)
          return ok(isExpected)
        }),
    }),
  ),
]
