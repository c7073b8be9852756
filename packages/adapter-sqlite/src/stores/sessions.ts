import { parseLanguage } from '@sotto/core'
import type { SessionStanding, SessionStore, StoredSession, Uuid } from '@sotto/core'
import { ok } from 'neverthrow'
import type { Connections } from '../file/connections.ts'
import { isEnabledAccountSql } from './accounts.ts'
import { cursorOf, uuidBytes, uuidOf } from './codec.ts'
import { createRecordUse } from './record-use.ts'

export function createSessions(connections: Connections): SessionStore {
  const { writer, write } = connections
  const isEnabled = writer.prepare<[Buffer], number>(isEnabledAccountSql).pluck()
  const hasPassword = writer.prepare('SELECT 1 FROM passwords WHERE id = ? AND account_id = ?').pluck()
  const insertSession = createInsertSession(connections)
  const recordProof = writer.prepare('UPDATE sessions SET proven_at = ? WHERE id = ?')
  const erase = writer.prepare('DELETE FROM sessions WHERE id = ? AND account_id = ?')

  return {
    insert: (session, digest, passwordId) =>
      write(() => {
        const account = uuidBytes(session.accountId)
        const isAllowed =
          isEnabled.get(account) !== undefined &&
          hasPassword.get(uuidBytes(passwordId), account) !== undefined
        if (isAllowed) insertSession(session, digest)
        return ok(isAllowed)
      }),

    ...createReads(connections),

    recordUse: createRecordUse(connections, 'sessions'),

    recordProof: (id, atMicros) => write(() => ok(recordProof.run(atMicros, uuidBytes(id)).changes > 0)),

    erase: (accountId, id) =>
      write(() => {
        const isErased = erase.run(uuidBytes(id), uuidBytes(accountId)).changes > 0
        if (isErased) connections.erased()
        return ok(isErased)
      }),

    eraseOver: createEraseOver(connections),
  }
}

/** Makes the function that adds a session, inside a job. */
export function createInsertSession({
  writer,
}: Pick<Connections, 'writer'>): (session: StoredSession, digest: Uint8Array) => void {
  const insert = writer.prepare(
    'INSERT INTO sessions (id, account_id, created_at, proven_at, last_used_at, digest) VALUES (?, ?, ?, ?, ?, ?)',
  )
  return ({ id, accountId, createdAtMicros, provenAtMicros, lastUsedAtMicros }, digest) => {
    insert.run(uuidBytes(id), uuidBytes(accountId), createdAtMicros, provenAtMicros, lastUsedAtMicros, digest)
  }
}

const columns = 'hex(id), created_at, proven_at, last_used_at'

type Row = [id: string, createdAt: number, provenAt: number, lastUsedAt: number, ...more: unknown[]]
type StandingRow = [...Row, accountId: string, accountDisabled: number, language: string | null]

function createReads({ reader, read }: Connections): Pick<SessionStore, 'findByDigest' | 'page'> {
  // Not a join: SQLite plans a join again each time it runs, which takes three times as long as running it.
  const find = reader
    .prepare<[Uint8Array], StandingRow>(
      `SELECT ${columns}, hex(account_id),
         (SELECT disabled_at IS NOT NULL FROM accounts WHERE id = account_id),
         (SELECT language FROM accounts WHERE id = account_id)
       FROM sessions WHERE digest = ?`,
    )
    .raw()
  const page = reader
    .prepare<[Buffer, number, Buffer, number], Row>(
      `SELECT ${columns} FROM sessions WHERE account_id = ? AND (created_at, id) > (?, ?)
       ORDER BY created_at, id LIMIT ?`,
    )
    .raw()

  return {
    findByDigest: (digest) =>
      read(() => {
        const row = find.get(digest)
        return row && standingOf(row)
      }),

    page: (accountId, after, limit) =>
      read(() =>
        page.all(uuidBytes(accountId), ...cursorOf(after), limit).map((row) => sessionOf(accountId, row)),
      ),
  }
}

function standingOf(row: StandingRow): SessionStanding {
  const [accountId, accountDisabled, language] = row.slice(-3) as [string, number, string | null]
  return {
    ...sessionOf(uuidOf(accountId), row),
    accountDisabled: accountDisabled === 1,
    language: language === null ? undefined : parseLanguage(language),
  }
}

function sessionOf(
  accountId: Uuid,
  [id, createdAtMicros, provenAtMicros, lastUsedAtMicros]: Row,
): StoredSession {
  return { id: uuidOf(id), accountId, createdAtMicros, provenAtMicros, lastUsedAtMicros }
}

function createEraseOver({ writer, write, erased }: Connections): SessionStore['eraseOver'] {
  const eraseBy = (time: 'created_at' | 'last_used_at') =>
    writer.prepare<[number, number]>(
      `DELETE FROM sessions WHERE rowid IN
         (SELECT rowid FROM sessions WHERE ${time} <= ? ORDER BY ${time} LIMIT ?)`,
    )
  const [byCreation, byUse] = [eraseBy('created_at'), eraseBy('last_used_at')]
  return ({ createdByMicros, lastUsedByMicros }, limit) =>
    write(() => {
      const old = byCreation.run(createdByMicros, limit).changes
      const rows = old + byUse.run(lastUsedByMicros, limit - old).changes
      if (rows > 0) erased()
      return ok(rows)
    })
}
