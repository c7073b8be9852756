import {
  parseLanguage,
  type SessionStanding,
  type SessionStore,
  type StoredSession,
  type Uuid,
} from '@sotto/core'
import { ok } from 'neverthrow'
import type { Database } from '../connection/database.ts'
import type { Sql } from '../connection/sql.ts'
import { isEnabledAccount } from './accounts.ts'
import { cursorOf } from './codec.ts'
import { isPassword } from './passwords.ts'
import { createRecordUse } from './record-use.ts'

const columns = 's.id, s.account_id, s.created_at, s.proven_at, s.last_used_at'

type Row = readonly [
  id: Uuid,
  accountId: Uuid,
  createdAt: number,
  provenAt: number,
  lastUsedAt: number,
  ...more: unknown[],
]
type StandingRow = readonly [...Row, accountDisabled: boolean, language: string | null]

const find = {
  name: 'sessions_find',
  text: `SELECT ${columns}, a.disabled_at IS NOT NULL, a.language
    FROM sessions s JOIN accounts a ON a.id = s.account_id WHERE s.digest = $1`,
}
const page = {
  name: 'sessions_page',
  text: `SELECT ${columns} FROM sessions s WHERE s.account_id = $1 AND (s.created_at, s.id) > ($2, $3)
    ORDER BY s.created_at, s.id LIMIT $4`,
}
const recordProof = {
  name: 'sessions_record_proof',
  text: 'UPDATE sessions SET proven_at = $2 WHERE id = $1',
}
const erase = { name: 'sessions_erase', text: 'DELETE FROM sessions WHERE id = $1 AND account_id = $2' }
// The condition stands there twice, so that a session that was used since it was found stays.
const isOver = '(created_at <= $1 OR last_used_at <= $2)'
const eraseOver = {
  name: 'sessions_erase_over',
  text: `DELETE FROM sessions WHERE id IN (SELECT id FROM sessions WHERE ${isOver} LIMIT $3) AND ${isOver}`,
}

export function createSessions(db: Database): SessionStore {
  return {
    insert: (session, digest, passwordId) =>
      db.transaction(async (sql) => {
        const { accountId } = session
        const isAllowed =
          (await isEnabledAccount(sql, accountId)) && (await isPassword(sql, passwordId, accountId))
        if (isAllowed) await insertSession(sql, session, digest)
        return ok(isAllowed)
      }),

    findByDigest: (digest) =>
      db.read(async (sql) => {
        const row = await sql.row<StandingRow>(find, [digest])
        return row && standingOf(row)
      }),

    page: (accountId, after, limit) =>
      db.read(async (sql) =>
        (await sql.rows<Row>(page, [accountId, ...cursorOf(after), limit])).map(sessionOf),
      ),

    recordUse: createRecordUse(db, 'sessions'),

    recordProof: (id, atMicros) =>
      db.statement(async (sql) => ok((await sql.changes(recordProof, [id, atMicros])) > 0)),

    erase: (accountId, id) =>
      db.statement(async (sql) => ok((await sql.changes(erase, [id, accountId])) > 0)),

    eraseOver: ({ createdByMicros, lastUsedByMicros }, limit) =>
      db.statement(async (sql) =>
        ok(await sql.changes(eraseOver, [createdByMicros, lastUsedByMicros, limit])),
      ),
  }
}

const insert = {
  name: 'sessions_insert',
  text: `INSERT INTO sessions (id, account_id, created_at, proven_at, last_used_at, digest)
    VALUES ($1, $2, $3, $4, $5, $6)`,
}

/** Adds a session. */
export async function insertSession(
  sql: Sql,
  { id, accountId, createdAtMicros, provenAtMicros, lastUsedAtMicros }: StoredSession,
  digest: Uint8Array,
): Promise<void> {
  await sql.changes(insert, [id, accountId, createdAtMicros, provenAtMicros, lastUsedAtMicros, digest])
}

function standingOf(row: StandingRow): SessionStanding {
  const [accountDisabled, language] = row.slice(-2) as [boolean, string | null]
  return {
    ...sessionOf(row),
    accountDisabled,
    language: language === null ? undefined : parseLanguage(language),
  }
}

function sessionOf([id, accountId, createdAtMicros, provenAtMicros, lastUsedAtMicros]: Row): StoredSession {
  return { id, accountId, createdAtMicros, provenAtMicros, lastUsedAtMicros }
}
