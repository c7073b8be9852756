import {
  attemptsOf,
  type Cursor,
  type SecretActivity,
  type SecretStore,
  type StorageError,
  type Uuid,
} from '@sotto/core'
import {
  countOfFiles,
  createCounts,
  createMarkSeen,
  filesOf,
  statusSql,
  withFiles,
  withFilesCount,
} from '@sotto/storage-sql'
import type { ResultAsync } from 'neverthrow'
import type { Database } from '../connection/database.ts'
import { createBatchedReads, type BatchedReads } from '../connection/batched-reads.ts'
import { unnest } from '../connection/sql.ts'
import { createEngine, postgresDialect, run } from '../engine/engine.ts'
import { openTimesOf } from '../engine/codec.ts'
import { createEraseExpired, createEraseSecret } from './erase-secrets.ts'
import { createInsertSecret } from './insert-secret.ts'
import { secretColumns, shareableOf, type SecretRow } from './secret-rows.ts'

/*
 * Finding nothing costs about the same, whatever the cause: searches of the primary key, and the reading of one row. When there is no row
 * with the id, the newest one is read instead. `IS TRUE` keeps the planner from using the conditions before the row is read, and LIMIT from
 * joining the whole table.
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
 * Each list reads its index backwards from the cursor on, and sorts nothing. `IS NOT TRUE` keeps the planner from other indexes, and from
 * expecting that most rows do not pass.
 */
const pageFor = (name: string, columns: string, owned: string, which = '') => ({
  name,
  text: `SELECT ${columns} FROM secrets s
    WHERE ${owned} AND (s.expires_at <= $2) IS NOT TRUE ${which} AND (s.link_created_at, s.id) < ($3, $4)
    ORDER BY s.link_created_at DESC, s.id DESC LIMIT $5`,
})
const status = statusSql({
  hasNote: 'note IS NOT NULL',
  wrongTotal: `(attempts::json ->> 'wrongTotal')::bigint`,
})
const inAccount = 's.account_id = $1'
const inFolder = 's.folder_id = (SELECT id FROM folders WHERE account_id = $1 AND id = $6)'
const listFor = (name: string, columns: string) => ({
  inAccount: pageFor(name, columns, inAccount),
  inAccountOfStatus: pageFor(`${name}_of_status`, columns, inAccount, `AND ${status} = $6`),
  inFolder: pageFor(`${name}_of_folder`, columns, inFolder),
  inFolderOfStatus: pageFor(`${name}_of_folder_and_status`, columns, inFolder, `AND ${status} = $7`),
})

const activityColumns = 's.opens, s.note IS NOT NULL, s.attempts, s.open_times, s.news'
const pages = listFor('secrets_page', secretColumns)
const overviews = listFor('secrets_overviews', `${countOfFiles}, ${activityColumns}, ${secretColumns}`)

const activity = {
  name: 'secrets_activity',
  text: `SELECT ${activityColumns} FROM secrets s WHERE id = $2 AND (account_id = $1 AND expires_at IS NOT NULL) IS TRUE`,
}

type ActivityRow = readonly [
  opens: number,
  hasNote: boolean,
  attempts: string | null,
  openTimes: Uint8Array | null,
  news: number,
]

function activityOf([opens, hasNote, attempts, openTimes, news]: ActivityRow): SecretActivity {
  return { opens, hasNote, attempts: attemptsOf(attempts), openedAtMicros: openTimesOf(openTimes), news }
}

/** A place after every link: the list begins there. */
const newest = { createdAtMicros: Number.MAX_SAFE_INTEGER, id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' }

export function createSecrets(db: Database, reads = createBatchedReads(db)): SecretStore {
  const engine = createEngine(db)
  return {
    insert: createInsertSecret(db),

    find: createFind(reads),

    page: createReadList(db, pages, shareableOf),

    overviews: createReadList(
      db,
      overviews,
      (
        accountId,
        [filesCount, opens, hasNote, attempts, openTimes, news, ...row]: [
          number,
          ...ActivityRow,
          ...SecretRow,
        ],
      ) => ({
        secret: shareableOf(accountId, row),
        activity: activityOf([opens, hasNote, attempts, openTimes, news]),
        ...withFilesCount(filesCount),
      }),
    ),

    counts: createCounts(engine, status),

    markSeen: createMarkSeen(engine),

    activity: (accountId, id) =>
      db.read(async (sql) => {
        const row = await sql.row<ActivityRow>(activity, [accountId, id])
        if (row === undefined) return undefined
        return { ...activityOf(row), ...withFiles(await run(sql, filesOf(postgresDialect, id))) }
      }),

    erase: createEraseSecret(db),

    eraseExpired: createEraseExpired(db),
  }
}

/** Makes the method that reads a part of a list. */
function createReadList<T>(
  db: Database,
  list: ReturnType<typeof listFor>,
  make: (accountId: Uuid, row: never) => T,
): (
  filter: Parameters<SecretStore['page']>[0],
  after: Cursor | undefined,
  limit: number,
) => ResultAsync<readonly T[], StorageError> {
  return ({ accountId, folderId, nowMicros, status }, after = newest, limit) =>
    db.read(async (sql) => {
      const owned = folderId === undefined ? 'inAccount' : 'inFolder'
      const statement = list[status === undefined ? owned : (`${owned}OfStatus` as const)]
      const filter = [folderId, status].filter((value) => value !== undefined)
      const values = [accountId, nowMicros, after.createdAtMicros, after.id, limit, ...filter]
      const rows = await sql.rows<readonly unknown[]>(statement, values)
      return rows.map((row) => make(accountId, row as never))
    })
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
