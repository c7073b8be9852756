import { attemptsOf, type SecretStore, type Uuid } from '@sotto/core'
import type { Database } from '../connection/database.ts'
import { createBatchedReads, type BatchedReads } from '../connection/batched-reads.ts'
import { unnest } from '../connection/sql.ts'
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
const pageFor = (name: string, owned: string) => ({
  name,
  text: `SELECT ${secretColumns} FROM secrets s
    WHERE ${owned} AND (s.expires_at <= $2) IS NOT TRUE AND (s.link_created_at, s.id) < ($3, $4)
    ORDER BY s.link_created_at DESC, s.id DESC LIMIT $5`,
})
const pageOfAccount = pageFor('secrets_page', 's.account_id = $1')
const pageOfFolder = pageFor(
  'secrets_page_of_folder',
  's.folder_id = (SELECT id FROM folders WHERE account_id = $1 AND id = $6)',
)

const activity = {
  name: 'secrets_activity',
  text: `SELECT id, opens, note IS NOT NULL, attempts, open_times FROM secrets
    WHERE id = ANY ($2::uuid[]) AND (account_id = $1 AND expires_at IS NOT NULL) IS TRUE`,
}

type ActivityRow = readonly [
  id: Uuid,
  opens: number,
  hasNote: boolean,
  attempts: string | null,
  openTimes: Uint8Array | null,
]

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

    activity: createActivity(db),

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

function createActivity(db: Database): SecretStore['activity'] {
  return (accountId, ids) =>
    db.read(async (sql) => {
      const rows = await sql.rows<ActivityRow>(activity, [accountId, ids])
      const found = new Map(rows.map((row) => [row[0], row]))
      return ids.flatMap((id) => {
        const row = found.get(id)
        if (row === undefined) return []
        const [, opens, hasNote, attempts, openTimes] = row
        return [
          { id, opens, hasNote, attempts: attemptsOf(attempts), openedAtMicros: openTimesOf(openTimes) },
        ]
      })
    })
}
