import type { OwnerEvent } from '@sotto/core'
import { eventColumns, eventValues } from '@sotto/storage-sql'
import { unnest, type Sql, type Value } from '../connection/sql.ts'
import { postgresDialect } from '../engine/engine.ts'

/** One array a column: so one statement, with one plan, adds any number of events. */
const insert = {
  name: 'outbox_insert',
  text: `INSERT INTO outbox (${eventColumns}) SELECT * FROM ${unnest([
    ...['uuid', 'text', 'uuid', 'uuid', 'uuid'],
    ...['bigint', 'bigint', 'bigint', 'bigint'],
  ])}`,
}

/** Puts events into the outbox, inside a transaction. */
export async function queueEvents(sql: Sql, events: readonly OwnerEvent[]): Promise<void> {
  if (events.length === 0) return
  const rows = events.map((event) => eventValues(postgresDialect, event))
  await sql.changes(
    insert,
    Array.from({ length: 9 }, (_, column): Value =>
      rows.map((row) => (row[column] ?? null) as string | number | null),
    ),
  )
}
