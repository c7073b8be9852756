import type { SessionStatus, SessionStore, StoredSession } from '@sotto/identity'
import { nilUuid, parseLanguage, type KeyRetired, type Uuid } from '@sotto/core'
import { ok, type Result } from 'neverthrow'
import { isEnabledAccount } from '../accounts/accounts.ts'
import { cursorOf, encryptedOf, underKey } from '../engine/codec.ts'
import { changes, exists, type Dialect, type Engine, type Work } from '../engine/engine.ts'
import { createRecordUse } from '../shared/record-use.ts'

const columns = 'id, account_id, created_at, proven_at, last_used_at'

type Row = readonly [
  id: unknown,
  accountId: unknown,
  createdAt: number,
  provenAt: number,
  lastUsedAt: number,
  kid: number | null,
  name: Uint8Array | null,
  ...more: unknown[],
]
type StatusRow = readonly [...Row, accountDisabled: unknown, language: string | null, notifies: unknown]

/** Not a join: SQLite plans a join again each time it runs, which takes three times as long as running it. */
const byDigest = (columns: string) => `SELECT ${columns},
  (SELECT disabled_at IS NOT NULL FROM accounts WHERE id = account_id),
  (SELECT language FROM accounts WHERE id = account_id),
  (SELECT notifies FROM accounts WHERE id = account_id)
  FROM sessions WHERE digest = $1`

/** The sessions. */
export function createSessions(engine: Engine): SessionStore {
  const { dialect, find, list, write } = engine
  const { id, texts } = dialect
  const read = `${id.read('id')}, ${id.read('account_id')}, created_at, proven_at, last_used_at, kid,
    ${texts.read('name')}`
  const findByDigest = byDigest(read)
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

    findByDigest: (digest) => find(findByDigest, [digest], (found: StatusRow) => statusOf(dialect, found)),

    page: (accountId, after, limit) =>
      list(
        `SELECT ${read} FROM sessions WHERE account_id = $1 AND (created_at, id) > ($2, $3)
         ORDER BY created_at, id LIMIT $4`,
        [id.in(accountId), ...cursorOf(dialect, after), limit],
        (found: Row) => sessionOf(dialect, found),
      ),

    recordUse: createRecordUse(engine, 'sessions'),

    recordReauthentication: (sessionId, atMicros) =>
      engine
        .change('UPDATE sessions SET proven_at = $1 WHERE id = $2', atMicros, id.in(sessionId))
        .map((count) => count > 0),

    rename: (accountId, sessionId, { kid, ciphertext }) =>
      write(function* (): Work<Result<boolean, KeyRetired>> {
        const session = id.in(sessionId)
        const isOwned = 'SELECT 1 FROM sessions WHERE id = $1 AND account_id = $2'
        if (!(yield* exists(isOwned, session, id.in(accountId)))) return ok(false)
        return yield* underKey(engine, kid, function* () {
          const name = yield* texts.replace({ table: 'sessions', name: 'name' }, session, ciphertext)
          yield* changes(
            `UPDATE sessions SET kid = $2, ${texts.column('name')} = $3 WHERE id = $1`,
            ...[session, kid, name],
          )
          engine.erased()
          return true
        })
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

/** What a session is found by besides its id. */
export interface SessionOrigin {
  readonly digest: Uint8Array
  /** The password, identity or passkey that it was begun with. */
  readonly authenticatorId: Uuid
  readonly providerSession?: Uint8Array | undefined
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

/** Adds a session. */
export function* insertSession(
  { id }: Dialect,
  session: StoredSession,
  { digest, authenticatorId, providerSession }: SessionOrigin,
): Work<void> {
  const { createdAtMicros, reauthenticatedAtMicros, lastUsedAtMicros } = session
  yield* changes(
    `INSERT INTO sessions (${columns}, digest, way_in_id, provider_session) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    ...[
      id.in(session.id),
      id.in(session.accountId),
      createdAtMicros,
      reauthenticatedAtMicros,
      lastUsedAtMicros,
    ],
    ...[digest, id.in(authenticatorId), providerSession],
  )
}

function statusOf(dialect: Dialect, found: StatusRow): SessionStatus {
  const [accountDisabled, language, notifies] = found.slice(-3) as [unknown, string | null, unknown]
  return {
    ...sessionOf(dialect, found),
    accountDisabled: dialect.flag.out(accountDisabled),
    language: language === null ? undefined : parseLanguage(language),
    notifies: dialect.flag.out(notifies),
  }
}

function sessionOf({ id }: Dialect, found: Row): StoredSession {
  const [sessionId, accountId, createdAtMicros, reauthenticatedAtMicros, lastUsedAtMicros, kid, name] = found
  return {
    id: id.out(sessionId),
    accountId: id.out(accountId),
    createdAtMicros,
    reauthenticatedAtMicros,
    lastUsedAtMicros,
    name: kid === null ? undefined : encryptedOf(kid, name),
  }
}
