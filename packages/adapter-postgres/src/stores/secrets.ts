import { attemptsOf, type SecretActivity, type SecretStore, type Uuid } from '@sotto/core'
import { createCounts, statusSql } from '@sotto/storage-sql'
import type { Database } from '../connection/database.ts'
import { createBatchedReads, type BatchedReads } from '../connection/batched-reads.ts'
import { unnest } from '../connection/sql.ts'
import { createEngine } from '../engine.ts'
import { openTimesOf } from './codec.ts'
import { createEraseExpired, createEraseSecret } from './erase-secrets.ts'
import { createInsertSecret } from './insert-secret.ts'
import { secretColumns, shareableOf, type SecretRow } from './secret-rows.ts'

/*
 * To find nothing costs about the same, whatever the cause: searches of the primary key, and the reading of one row. When there is no row
 * with the id, the newest one is read instead. `IS TRUE` keeps the planner from using the conditions before the row is read, and LIMIT
 * from joining the whole table.
 */
const find = {
  name: 'secrets_find',
  text: `SELECT asked.nr, found.* FROM ${unnest(['uuid', 'uuid', 'bigint'])}
      WITH ORDINALITY AS asked (id, account_id, at, nr) CROSS JOIN LATERAL (
    SELECT ${secretColumns} FROM secrets s
    WHERE s.id = coalesce((SELECT id FROM secrets WHERE id = asked.id), (SELECT id FROM secrets ORDER BY id DESC LIMIT 1))
      AND (s.id = asked.id AND s.account_id = asked.account_id AND s.expires_at > asked.at) IS TRUE LIMIT 1) found`,
}

/*
 * Each list reads its index backwards from the cursor on, and sorts nothing. `IS NOT TRUE` keeps the planner from other indexes, and from the
 * belief that it would read much in vain.
 */
const pageFor = (name: string, owned: string, columns = secretColumns, which = '') => ({
  name,
  text: `SELECT ${columns} FROM secrets s
    WHERE ${owned} AND (s.expires_at <= $2) IS NOT TRUE ${which} AND (s.link_created_at, s.id) < ($3, $4)
    ORDER BY s.link_created_at DESC, s.id DESC LIMIT $5`,
})
const pageOfAccount = pageFor('secrets_page', 's.account_id = $1')
const ofFolder = (parameter: string) =>
  `s.folder_id = (SELECT id FROM folders WHERE account_id = $1 AND id = ${parameter})`
const pageOfFolder = pageFor('secrets_page_of_folder', ofFolder('$6'))

const status = statusSql({
  hasNote: 'note IS NOT NULL',
  wrongTotal: `(attempts::json ->> 'wrongTotal')::bigint`,
})
const activityColumns = 's.opens, s.note IS NOT NULL, s.attempts, s.open_times'
const overviewColumns = `${activityColumns}, ${secretColumns}`
const ofStatus = `AND ($6::text IS NULL OR ${status} = $6)`
const overviewsOfAccount = pageFor('secrets_overviews', 's.account_id = $1', overviewColumns, ofStatus)
const overviewsOfFolder = pageFor('secrets_overviews_of_folder', ofFolder('$7'), overviewColumns, ofStatus)

const activity = {
  name: 'secrets_activity',
  text: `SELECT ${activityColumns} FROM secrets s WHERE id = $2 AND (account_id = $1 AND expires_at IS NOT NULL) IS TRUE`,
}

type ActivityRow = readonly [
  opens: number,
  hasNote: boolean,
  attempts: string | null,
  openTimes: Uint8Array | null,
]

function activityOf([opens, hasNote, attempts, openTimes]: ActivityRow): SecretActivity {
  return { opens, hasNote, attempts: attemptsOf(attempts), openedAtMicros: openTimesOf(openTimes) }
}

/** After every link: where the list begins. */
const newest = { createdAtMicros: Number.MAX_SAFE_INTEGER, id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' }

export function createSecrets(db: Database, reads = createBatchedReads(db)): SecretStore {
  return {
    insert: createInsertSecret(db),

    find: createFind(reads),

    page: ({ accountId, folderId, nowMicros }, after = newest, limit) =>
      db.read(async (sql) => {
        const values = [accountId, nowMicros, after.createdAtMicros, after.id, limit]
        const rows =
          folderId === undefined
            ? await sql.rows<SecretRow>(pageOfAccount, values)
            : await sql.rows<SecretRow>(pageOfFolder, [...values, folderId])
        return rows.map((row) => shareableOf(accountId, row))
      }),

    overviews: ({ accountId, folderId, nowMicros, status }, after = newest, limit) =>
      db.read(async (sql) => {
        const values = [accountId, nowMicros, after.createdAtMicros, after.id, limit, status ?? null]
        const rows =
          folderId === undefined
            ? await sql.rows<[...ActivityRow, ...SecretRow]>(overviewsOfAccount, values)
            : await sql.rows<[...ActivityRow, ...SecretRow]>(overviewsOfFolder, [...values, folderId])
        return rows.map(([opens, hasNote, attempts, openTimes, ...row]) => ({
          secret: shareableOf(accountId, row),
          activity: activityOf([opens, hasNote, attempts, openTimes]),
        }))
      }),

    counts: createCounts(createEngine(db), status),

    activity: (accountId, id) =>
      db.read(async (sql) => {
        const row = await sql.row<ActivityRow>(activity, [accountId, id])
        return row && activityOf(row)
      }),

    erase: createEraseSecret(db),

    eraseExpired: createEraseExpired(db),
  }
}

interface Wanted {
  readonly accountId: Uuid
  readonly id: Uuid
  readonly nowMicros: number
}

function createFind(reads: BatchedReads): SecretStore['find'] {
  const read = reads.batch({
    statement: find,
    keyOf: ({ accountId, id, nowMicros }: Wanted) => `${accountId} ${id} ${nowMicros}`,
    valuesOf: (questions) => [
      questions.map(([{ id }]) => id),
      questions.map(([{ accountId }]) => accountId),
      questions.map(([{ nowMicros }]) => nowMicros),
    ],
    answerOf: (row: SecretRow | undefined, { accountId }) => row && shareableOf(accountId, row),
  })
  return (accountId, id, nowMicros) => read({ accountId, id, nowMicros })
}
