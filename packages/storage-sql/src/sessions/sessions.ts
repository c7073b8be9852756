import type { SessionStatus, SessionStore, StoredSession } from '@sotto/identity'
import { nilUuid, parseLanguage, type KeyRetired, type Uuid } from '@sotto/core'
import { ok, type Result } from 'neverthrow'
import { isEnabledAccount } from '../accounts/accounts.ts'
import { cursorOf, replaceText } from '../engine/codec.ts'
import { changes, exists, type Dialect, type Engine, type Work } from '../engine/engine.ts'
import { rowsOf } from '../engine/row-codec.ts'
import { createRecordUse } from '../shared/record-use.ts'
import { sessionTables } from './tables.ts'

/** What a session is found by besides its id. */
export interface SessionOrigin {
  readonly digest: Uint8Array
  /** The password, identity or passkey that it was begun with. */
  readonly authenticatorId: Uuid
  readonly providerSession?: Uint8Array | undefined
}

const fields = {
  id: 'id',
  accountId: 'account_id',
  createdAtMicros: 'created_at',
  reauthenticatedAtMicros: 'proven_at',
  lastUsedAtMicros: 'last_used_at',
  name: 'name',
} as const

const sessionRows = rowsOf(sessionTables.sessions).as<StoredSession, SessionOrigin>(fields, {
  digest: 'digest',
  authenticatorId: 'way_in_id',
  providerSession: 'provider_session',
})

interface StatusRow extends Omit<SessionStatus, 'language'> {
  readonly language: string | undefined
}

/** Not a join: SQLite plans a join again each time it runs, which takes three times as long as running it. */
const ofAccount = (column: string) => `(SELECT ${column} FROM accounts WHERE id = account_id)`

const statusRows = rowsOf(sessionTables.sessions).reading<StatusRow>({
  ...fields,
  accountDisabled: { type: 'flag', sql: ofAccount('disabled_at IS NOT NULL') },
  language: { type: 'text', optional: true, sql: ofAccount('language') },
  notifies: { type: 'flag', sql: ofAccount('notifies') },
})

/** The sessions. */
export function createSessions(engine: Engine): SessionStore {
  const { dialect, find, list, write } = engine
  const { id } = dialect
  const [sessions, statuses] = [sessionRows(dialect), statusRows(dialect)]
  const byDigest = `SELECT ${statuses.columns} FROM sessions WHERE digest = $1`
  return {
    insert: (session, digest, authenticatorId, providerSession) =>
      write(function* () {
        const { accountId } = session
        const isAllowed =
          (yield* isEnabledAccount(dialect, accountId)) &&
          (yield* isAuthenticatorOf(dialect, authenticatorId, accountId))
        if (isAllowed) yield* insertSession(dialect, session, { digest, authenticatorId, providerSession })
        return ok(isAllowed)
      }),

    findByDigest: (digest) => find(byDigest, [digest], (found: unknown[]) => statusOf(statuses.read(found))),

    page: (accountId, after, limit) =>
      list(
        `SELECT ${sessions.columns} FROM sessions WHERE account_id = $1 AND (created_at, id) > ($2, $3)
         ORDER BY created_at, id LIMIT $4`,
        [id.in(accountId), ...cursorOf(dialect, after), limit],
        sessions.read,
      ),

    recordUse: createRecordUse(engine, 'sessions'),

    recordReauthentication: (sessionId, atMicros) =>
      engine
        .change('UPDATE sessions SET proven_at = $1 WHERE id = $2', atMicros, id.in(sessionId))
        .map((count) => count > 0),

    rename: (accountId, sessionId, name) =>
      write(function* (): Work<Result<boolean, KeyRetired>> {
        const session = id.in(sessionId)
        const isOwned = 'SELECT 1 FROM sessions WHERE id = $1 AND account_id = $2'
        if (!(yield* exists(isOwned, session, id.in(accountId)))) return ok(false)
        return yield* replaceText(engine, { table: 'sessions', name: 'name' }, session, name)
      }),

    erase: (accountId, sessionId) =>
      write(function* () {
        const count = yield* changes(
          'DELETE FROM sessions WHERE id = $1 AND account_id = $2',
          ...[id.in(sessionId), id.in(accountId)],
        )
        if (count > 0) engine.erased()
        return ok(count > 0)
      }),

    eraseOver: ({ createdByMicros, lastUsedByMicros }, limit) =>
      write(function* () {
        const old = yield* changes(eraseBy('created_at'), createdByMicros, limit)
        const count = old + (yield* changes(eraseBy('last_used_at'), lastUsedByMicros, limit - old))
        if (count > 0) engine.erased()
        return ok(count)
      }),
  }
}

/** The condition stands there twice, so that a session that was used since it was found stays. */
const eraseBy = (time: 'created_at' | 'last_used_at') =>
  `DELETE FROM sessions WHERE ${time} <= $1
   AND id IN (SELECT id FROM sessions WHERE ${time} <= $1 ORDER BY ${time} LIMIT $2)`

const authenticatorTables = ['passwords', 'identities', 'passkeys'] as const

/** Whether the account has the password, identity or passkey with this id. */
function* isAuthenticatorOf({ id }: Dialect, authenticatorId: Uuid, accountId: Uuid): Work<boolean> {
  for (const table of authenticatorTables) {
    const isThere = yield* exists(
      `SELECT 1 FROM ${table} WHERE id = $1 AND account_id = $2`,
      ...[id.in(authenticatorId), id.in(accountId)],
    )
    if (isThere) return true
  }
  return false
}

/** Erases the sessions of an account that were begun with this identity or passkey, except the one that is named. */
export function* eraseSessionsBegunWith(
  { id }: Dialect,
  accountId: Uuid,
  authenticatorId: Uuid,
  keep: Uuid = nilUuid,
): Work<void> {
  yield* changes(
    'DELETE FROM sessions WHERE account_id = $1 AND way_in_id = $2 AND id <> $3',
    ...[id.in(accountId), id.in(authenticatorId), id.in(keep)],
  )
}

/** Adds a session, which has no name yet. */
export function insertSession(dialect: Dialect, session: StoredSession, origin: SessionOrigin): Work<void> {
  return sessionRows(dialect).insert({ ...session, ...origin, name: undefined })
}

function statusOf({ language, ...status }: StatusRow): SessionStatus {
  return { ...status, language: language === undefined ? undefined : parseLanguage(language) }
}
