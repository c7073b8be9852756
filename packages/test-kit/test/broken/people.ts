import { isTokenUsable, type SessionStore, type StoredAccessToken } from '@sotto/identity'
import { noAttempts, type AttemptState, type AttemptsChange } from '@sotto/core'
import type { MemoryData, StorageHarness } from '@sotto/test-kit'
import { err, ok, okAsync, type Result } from 'neverthrow'
import { brokenStorage, brokenStore, pause, sameBytes, slowly, type Broken } from './broken.ts'

const accounts = brokenStore('accounts')
const tokens = brokenStore('accessTokens')
const passwords = brokenStore('passwords')
const sessions = brokenStore('sessions')
const signIns = brokenStore('signIns')
const invitations = brokenStore('invitations')
const kept = ['invitation-store/answers-as-the-memory-storage']

/** Flaws of accounts, and of all that signs in to one. */
export const brokenPeople: readonly Broken<StorageHarness>[] = [
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
            const added = { ...account, displayName: undefined }
            data.accounts.set(account.id, { account: added, nameIndex: indexes[0] })
            return ok()
          }),
      },
    }),
  ),
  accounts(
    'checks the name, then renames',
    ['account-store/one-of-parallel-renames-wins'],
    (store, data) => ({
      rename: (id, name, indexes) =>
        slowly(async () => {
          const found = await store.findByName(indexes)
          if (found.isErr()) return err(found.error)
          if (found.value !== undefined) return err({ code: 'account_exists' as const })
          await pause()
          const row = data.accounts.get(id)
          if (row) data.accounts.set(id, { account: { ...row.account, name }, nameIndex: indexes[0] })
          return ok()
        }),
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
  finding(
    'does not look at the account',
    ['access-token-store/answers-as-the-memory-storage'],
    isTokenUsable,
  ),
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
          const added = { session, digest, authenticatorId: passwordId, providerSession: undefined }
          if (isExpected) data.sessions.set(session.id, added)
          return ok(isExpected)
        }),
    }),
  ),
  over('erases only the old', (store, limits, limit) =>
    store.eraseOver({ ...limits, lastUsedByMicros: 0 }, limit),
  ),
  sessions('records no proof', ['session-store/answers-as-the-memory-storage'], () => ({
    recordReauthentication: () => okAsync(true),
  })),
  signIns(
    'reads, then writes',
    [
      'sign-in-store/parallel-updates-do-not-interleave',
      'sign-in-store/updates-from-two-storages-do-not-interleave',
    ],
    (_, data) => ({
      update: <Change extends AttemptsChange, E>(
        buckets: readonly Uint8Array[],
        decide: (attempts: readonly AttemptState[]) => Result<Change, E>,
      ) =>
        slowly(async () => {
          const names = buckets.map((bucket) => Buffer.from(bucket).toString('hex'))
          const states = names.map((name) => data.signInAttempts.get(name)?.attempts ?? noAttempts)
          await pause()
          return decide(states).map((change) => {
            store(data, names, change)
            return change
          })
        }),
    }),
  ),
  invitations(
    'looks, then spends',
    [
      'invitation-store/one-of-parallel-spendings-wins',
      'invitation-store/one-of-spendings-from-two-storages-wins',
    ],
    (store, data) => ({
      spend: (digest, { nowMicros, password, session, sessionDigest }) =>
        slowly(async () => {
          const found = await store.find(digest, nowMicros)
          await pause()
          if (found.isErr() || found.value === undefined) return ok(false)
          data.invitations.delete(password.accountId)
          data.passwords.set(password.accountId, password)
          const added = {
            session,
            digest: sessionDigest,
            authenticatorId: password.id,
            providerSession: undefined,
          }
          data.sessions.set(session.id, added)
          return ok(true)
        }),
    }),
  ),
  invitations(
    'revokes tokens although it refuses',
    ['invitation-store/answers-as-the-memory-storage'],
    (store, data) => ({
      spend: (digest, left) =>
        store.spend(digest, left).mapErr((error) => {
          revokeAll(data, left.nowMicros)
          return error
        }),
    }),
  ),
  invitations('erases webhooks although it refuses', kept, (store, data) => ({
    spend: (digest, left) =>
      store.spend(digest, left).mapErr((error) => {
        data.webhooks.clear()
        return error
      }),
  })),
]

function rowsLeft({ secrets, folders, erasing }: MemoryData): number {
  const isLeft = ({ accountId }: { readonly accountId: string }): boolean => erasing.has(accountId)
  const rows = [...secrets.values()].filter(({ secret }) => isLeft(secret)).length
  return rows + [...folders.values()].filter(isLeft).length + erasing.size
}

/** A store that finds every token which passes, whatever its account. */
function finding(
  flaw: string,
  breaks: readonly string[],
  passes: (token: StoredAccessToken, nowMicros: number) => boolean,
): Broken<StorageHarness> {
  return tokens(flaw, breaks, (_store, data) => ({
    findUsable(digest, nowMicros) {
      const row = data.accessTokens.values().find((each) => sameBytes(each.digest, digest))
      if (row === undefined || !passes(row.token, nowMicros)) return okAsync(undefined)
      const { id, accountId, scopes, lastUsedAtMicros } = row.token
      return okAsync({ id, accountId, scopes, lastUsedAtMicros })
    },
  }))
}

function over(
  flaw: string,
  eraseOver: (
    store: SessionStore,
    ...asked: Parameters<SessionStore['eraseOver']>
  ) => ReturnType<SessionStore['eraseOver']>,
): Broken<StorageHarness> {
  return sessions(flaw, ['session-store/answers-as-the-memory-storage'], (store) => ({
    eraseOver: (limits, limit) => eraseOver(store, limits, limit),
  }))
}

function store(data: MemoryData, names: readonly string[], { buckets }: AttemptsChange): void {
  for (const [at, name] of names.entries()) {
    const bucket = buckets[at]
    if (bucket) data.signInAttempts.set(name, bucket)
  }
}

function revokeAll({ accessTokens }: MemoryData, revokedAtMicros: number): void {
  for (const [id, row] of accessTokens) {
    if (row.token.revokedAtMicros !== undefined) continue
    accessTokens.set(id, { ...row, token: { ...row.token, revokedAtMicros } })
  }
}
