import type { SessionStore, StoredSession } from '@sotto/identity'
import type { Uuid } from '@sotto/core'
import { err, ok } from 'neverthrow'
import {
  equalBytes,
  keyRetired,
  pageOf,
  taken,
  type MemoryConnection,
  type MemoryData,
  type SessionRow,
} from '../stores/memory-data.ts'

export function createMemorySessions({
  data,
  answer,
  isClosed,
  isEnabled,
  hasAuthenticator,
  mayWrite,
}: MemoryConnection): SessionStore {
  const change = (id: Uuid, columns: Partial<StoredSession>): boolean => {
    const row = data.sessions.get(id)
    if (row !== undefined) data.sessions.set(id, { ...row, session: { ...row.session, ...columns } })
    return row !== undefined
  }
  return {
    insert: (session, digest, authenticatorId, providerSession) =>
      answer(() => {
        const { accountId } = session
        if (!isEnabled(accountId) || !hasAuthenticator(accountId, authenticatorId)) return ok(false)
        if (isSessionTaken(data, session.id, digest)) return err(taken)
        const added = { session: { ...session, name: undefined }, digest, authenticatorId, providerSession }
        data.sessions.set(session.id, structuredClone(added))
        return ok(true)
      }),

    findByDigest: (digest) =>
      answer(() => {
        const session = rowWith(data, digest)?.session
        if (session === undefined) return ok(undefined)
        const account = data.accounts.get(session.accountId)?.account
        const accountDisabled = account?.disabledAtMicros !== undefined
        const { language, notifies = false } = account ?? {}
        return ok({ ...session, accountDisabled, language, notifies })
      }),

    page: (accountId, after, limit) =>
      answer(() => {
        const sessions = [...data.sessions.values()].map(({ session }) => session)
        const own = sessions.filter((session) => session.accountId === accountId)
        return ok(pageOf(own, after, limit))
      }),

    recordUse(id, atMicros) {
      if (!isClosed()) change(id, { lastUsedAtMicros: atMicros })
    },

    recordReauthentication: (id, atMicros) =>
      answer(() => ok(change(id, { reauthenticatedAtMicros: atMicros }))),

    rename: (accountId, id, name) =>
      answer(() => {
        if (data.sessions.get(id)?.session.accountId !== accountId) return ok(false)
        return mayWrite(name) ? ok(change(id, { name: structuredClone(name) })) : err(keyRetired)
      }),

    erase: (accountId, id) =>
      answer(() => ok(data.sessions.get(id)?.session.accountId === accountId && data.sessions.delete(id))),

    eraseOver: ({ createdByMicros, lastUsedByMicros }, limit) =>
      answer(() => {
        const over = [...data.sessions.values()]
          .map(({ session }) => session)
          .filter(
            ({ createdAtMicros, lastUsedAtMicros }) =>
              createdAtMicros <= createdByMicros || lastUsedAtMicros <= lastUsedByMicros,
          )
          .slice(0, limit)
        for (const { id } of over) data.sessions.delete(id)
        return ok(over.length)
      }),
  }
}

/**
 * Whether there is a session with this id or digest.
 * @param ending the account whose sessions end with the same call, and are not in the way
 */
export function isSessionTaken(data: MemoryData, id: Uuid, digest: Uint8Array, ending?: Uuid): boolean {
  return [data.sessions.get(id), rowWith(data, digest)].some(
    (row) => row !== undefined && row.session.accountId !== ending,
  )
}

/** Erases the sessions of an account, except the one that is named. */
export function eraseSessions({ sessions }: MemoryData, accountId: Uuid, keep?: Uuid): void {
  for (const { session } of sessions.values())
    if (session.accountId === accountId && session.id !== keep) sessions.delete(session.id)
}

/** Erases the sessions of an account that were begun with this password, identity or passkey, except the one that is named. */
export function eraseSessionsBegunWith(
  { sessions }: MemoryData,
  accountId: Uuid,
  begunWith: Uuid,
  keep: Uuid | undefined,
): void {
  for (const { session, authenticatorId } of sessions.values())
    if (session.accountId === accountId && authenticatorId === begunWith && session.id !== keep)
      sessions.delete(session.id)
}

function rowWith({ sessions }: MemoryData, digest: Uint8Array): SessionRow | undefined {
  return sessions.values().find((row) => equalBytes(row.digest, digest))
}
