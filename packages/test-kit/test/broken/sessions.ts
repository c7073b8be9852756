import type { SessionStore, StoredSession } from '@sotto/core'
import type { MemoryData, StorageHarness } from '@sotto/test-kit'
import { ok, okAsync } from 'neverthrow'
import { brokenStore, pause, slowly, toMillis, type Broken } from './broken.ts'

export const sessions = brokenStore('sessions')

/** Flaws of adding sessions, and of finding them. */
export const brokenSessions: readonly Broken<StorageHarness>[] = [
  sessions(
    'stores times to the millisecond',
    ['session-store/insert-is-found-again', 'session-store/page-is-in-order'],
    (store) => ({
      insert: (session, digest, passwordId) =>
        store.insert({ ...session, createdAtMicros: toMillis(session.createdAtMicros) }, digest, passwordId),
    }),
  ),
  sessions('loses the proof', ['session-store/insert-is-found-again'], (store) => ({
    insert: (session, digest, passwordId) =>
      store.insert({ ...session, provenAtMicros: session.createdAtMicros }, digest, passwordId),
  })),
  sessions(
    'checks no password',
    ['session-store/insert-needs-the-password', 'session-store/no-session-outlives-its-password'],
    (store, data) => ({
      insert: (session, digest, passwordId) =>
        store.insert(session, digest, data.passwords.get(session.accountId)?.id ?? passwordId),
    }),
  ),
  sessions('writes what it refuses', ['session-store/insert-needs-the-password'], (store, data) => ({
    insert: (session, digest, passwordId) =>
      store.insert(session, digest, passwordId).map((done) => {
        data.sessions.set(session.id, { session, digest })
        return done
      }),
  })),
  sessions(
    'adds sessions to disabled accounts',
    ['session-store/insert-of-a-disabled-account-is-false'],
    (store, data) => ({
      insert(session, digest, passwordId) {
        if (data.passwords.get(session.accountId)?.id !== passwordId) return store.insert(session, digest, '')
        data.sessions.set(session.id, { session, digest })
        return okAsync(true)
      },
    }),
  ),
  sessions(
    'replaces a session with the same id',
    ['session-store/id-and-digest-belong-to-one-session'],
    (store, data) => ({
      insert(session, digest, passwordId) {
        data.sessions.delete(session.id)
        return store.insert(session, digest, passwordId)
      },
    }),
  ),
  sessions(
    'checks the password, then adds',
    [
      'session-store/no-session-outlives-its-password',
      'session-store/no-session-outlives-its-password-beside',
    ],
    (_, data) => ({
      insert: (session, digest, passwordId) =>
        slowly(async () => {
          const isExpected = data.passwords.get(session.accountId)?.id === passwordId
          await pause()
          if (isExpected) data.sessions.set(session.id, { session, digest })
          return ok(isExpected)
        }),
    }),
  ),
  sessions('finds some session', ['session-store/find-of-none-is-undefined'], (store, data) => ({
    findByDigest: (digest) =>
      store.findByDigest(digest).map((found) => {
        const other = data.sessions.values().next().value?.session
        return found ?? (other && { ...other, accountDisabled: false, language: undefined })
      }),
  })),
  sessions('shows no disabled account', ['session-store/find-shows-the-account'], (store) => ({
    findByDigest: (digest) =>
      store.findByDigest(digest).map((found) => found && { ...found, accountDisabled: false }),
  })),
  sessions('shows no language', ['session-store/find-shows-the-account'], (store) => ({
    findByDigest: (digest) =>
      store.findByDigest(digest).map((found) => found && { ...found, language: undefined }),
  })),
  sessions('hides what is over', ['session-store/sessions-that-are-over-are-found'], (store) => ({
    findByDigest: (digest) =>
      store
        .findByDigest(digest)
        .map((found) => (found && found.lastUsedAtMicros > 1_000 ? found : undefined)),
  })),
  sessions('does not list what is over', ['session-store/sessions-that-are-over-are-found'], (store) => ({
    page: (...asked) =>
      store.page(...asked).map((rows) => rows.filter(({ createdAtMicros }) => createdAtMicros > 1_000)),
  })),
  sessions('lists the latest first', ['session-store/page-is-in-order'], (store) => ({
    page: (...asked) => store.page(...asked).map((rows) => rows.toReversed()),
  })),
  sessions('ignores the limit', ['session-store/page-is-in-order'], (store) => ({
    page: (accountId, after) => store.page(accountId, after, 1_000),
  })),
  sessions(
    'lists the sessions of all accounts',
    ['session-store/page-shows-own-sessions-only'],
    (_, data) => ({
      page: () => okAsync([...data.sessions.values()].map(({ session }) => session)),
    }),
  ),
]

/** Flaws of changing sessions, and of ending them. */
export const brokenSessionChanges: readonly Broken<StorageHarness>[] = [
  sessions('rounds the last use', ['session-store/recorded-use-is-exact-or-lost'], (store) => ({
    recordUse: (id, atMicros) => store.recordUse(id, toMillis(atMicros)),
  })),
  sessions('records a use for all', ['session-store/recorded-use-is-exact-or-lost'], (_, data) => ({
    recordUse: (_id, lastUsedAtMicros) => changeAll(data, { lastUsedAtMicros }),
  })),
  sessions('throws for an unknown session', ['session-store/record-use-never-fails'], (store, data) => ({
    recordUse(id, atMicros) {
      if (!data.sessions.has(id)) throw new Error('unknown')
      store.recordUse(id, atMicros)
    },
  })),
  sessions('records a proof as a use', ['session-store/proof-is-recorded'], (store) => ({
    recordProof(id, atMicros) {
      store.recordUse(id, atMicros)
      return store.recordProof(id, atMicros)
    },
  })),
  sessions('keeps the latest proof', ['session-store/proof-is-recorded'], (store, data) => ({
    recordProof: (id, atMicros) =>
      store.recordProof(id, Math.max(atMicros, data.sessions.get(id)?.session.provenAtMicros ?? 0)),
  })),
  sessions('answers true for every proof', ['session-store/proof-of-none-is-false'], (store) => ({
    recordProof: (id, atMicros) => store.recordProof(id, atMicros).map(() => true),
  })),
  sessions('proves all sessions', ['session-store/proof-of-none-is-false'], (store, data) => ({
    recordProof(id, provenAtMicros) {
      changeAll(data, { provenAtMicros })
      return store.recordProof(id, provenAtMicros)
    },
  })),
  sessions('ends all sessions', ['session-store/erase-ends-one-session'], (store, data) => ({
    erase: (accountId, id) =>
      store.erase(accountId, id).map((done) => {
        data.sessions.clear()
        return done
      }),
  })),
  sessions(
    'answers true for every session',
    ['session-store/erase-ends-one-session', 'session-store/erase-of-none-is-false'],
    (store) => ({ erase: (accountId, id) => store.erase(accountId, id).map(() => true) }),
  ),
  sessions("ends other accounts' sessions", ['session-store/erase-of-none-is-false'], (_, data) => ({
    erase: (_accountId, id) => okAsync(data.sessions.delete(id)),
  })),
  over('erases only the old', (store, limits, limit) =>
    store.eraseOver({ ...limits, lastUsedByMicros: 0 }, limit),
  ),
  over('erases only the unused', (store, limits, limit) =>
    store.eraseOver({ ...limits, createdByMicros: 0 }, limit),
  ),
  over('erases too late', (store, { createdByMicros, lastUsedByMicros }, limit) =>
    store.eraseOver({ createdByMicros: createdByMicros - 1, lastUsedByMicros: lastUsedByMicros - 1 }, limit),
  ),
  over('erases too early', (store, { createdByMicros, lastUsedByMicros }, limit) =>
    store.eraseOver({ createdByMicros, lastUsedByMicros: lastUsedByMicros + 1 }, limit),
  ),
  sessions('ignores the limit', ['session-store/erase-over-stops-at-the-limit'], (store) => ({
    eraseOver: (limits) => store.eraseOver(limits, 1_000),
  })),
  sessions('records no proof', ['session-store/writes-are-durable'], () => ({
    recordProof: () => okAsync(true),
  })),
]

function over(
  flaw: string,
  eraseOver: (
    store: SessionStore,
    ...asked: Parameters<SessionStore['eraseOver']>
  ) => ReturnType<SessionStore['eraseOver']>,
): Broken<StorageHarness> {
  return sessions(flaw, ['session-store/erase-over-takes-the-old-and-the-unused'], (store) => ({
    eraseOver: (limits, limit) => eraseOver(store, limits, limit),
  }))
}

function changeAll(data: MemoryData, columns: Partial<StoredSession>): void {
  for (const [id, row] of data.sessions) {
    data.sessions.set(id, { ...row, session: { ...row.session, ...columns } })
  }
}
