import { isUseToBeRecorded } from '@sotto/core'
import type { Uuid } from '@sotto/core'
import { rememberUses } from '@sotto/storage-sql'
import { ok, okAsync } from 'neverthrow'
import { askedMillisOf, createBatches, type Waiting } from '../connection/batches.ts'
import type { Database } from '../connection/database.ts'
import { unnest } from '../connection/sql.ts'

const usesAtOnce = 500

interface Use {
  readonly id: Uuid
  readonly atMicros: number
}

type UsedRow = [id: Uuid, lastUsedAt: number | null]

/**
 * Makes the function that records when a row of `table` was last used, in the background, many rows in one write. All processes together
 * write as often as `isUseToBeRecorded` allows: once a minute for each row. Once the database is closed the records are dropped.
 */
export function createRecordUse(
  db: Database,
  table: 'access_tokens' | 'sessions',
): (id: Uuid, atMicros: number) => void {
  const record = createBatches({
    ...{ run: createRun(db, table), sizeMax: usesAtOnce, atOnce: 1 },
    measureQueue: db.measureQueue,
  })
  return rememberUses((id, atMicros) => record({ id, atMicros }))
}

function createRun(
  db: Database,
  table: string,
): (batch: readonly Waiting<Use, void, never>[]) => Promise<void> {
  const find = {
    name: `${table}_last_uses`,
    text: `SELECT id, last_used_at FROM ${table} WHERE id = ANY ($1::uuid[])`,
  }
  // A row that another process recorded a use of since it was read stays as it is. 0 stands for none.
  const set = {
    name: `${table}_record_uses`,
    text: `UPDATE ${table} AS t SET last_used_at = used.at
      FROM ${unnest(['uuid', 'bigint', 'bigint'])} AS used (id, before, at)
      WHERE t.id = used.id AND coalesce(t.last_used_at, 0) = used.before`,
  }
  return async (batch) => {
    const uses = new Map(batch.map(({ input }) => [input.id, input.atMicros]))
    const written = await db
      .read((sql) => sql.rows<UsedRow>(find, [[...uses.keys()]]))
      .andThen((rows) => {
        const due = rows.filter(([id, lastUse]) => isUseToBeRecorded(lastUse ?? undefined, uses.get(id) ?? 0))
        // Rows in one order, so that processes that write the same ones do not wait for each other in a circle.
        due.sort(([one], [other]) => (one < other ? -1 : 1))
        const ids = due.map(([id]) => id)
        const values = [ids, due.map(([, lastUse]) => lastUse ?? 0), ids.map((id) => uses.get(id) ?? 0)]
        if (due.length === 0) return okAsync(0)
        return db.statement(async (sql) => ok(await sql.changes(set, values)), {
          askedMillis: askedMillisOf(batch),
        })
      })
    for (const { answer } of batch) answer(written.map(() => undefined))
  }
}
