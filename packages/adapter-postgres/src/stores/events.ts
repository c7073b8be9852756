import type { SecretEvent, SecretEventType, Uuid } from '@sotto/core'
import { unnest, type Sql, type Value } from '../connection/sql.ts'

/** The columns of an event in `outbox` and `deliveries`, in the order of {@link EventRow}. */
export const eventColumns =
  'event_id, event_type, account_id, secret_id, folder_id, event_at, opens, opens_left, expires_at'

export type EventRow = [
  id: Uuid,
  type: SecretEventType,
  accountId: Uuid,
  secretId: Uuid,
  folderId: Uuid,
  at: number,
  opens: number,
  opensLeft: number | null,
  expiresAt: number,
]

/** One array a column: so one statement, with one plan, adds any number of events. */
const insert = {
  name: 'outbox_insert',
  text: `INSERT INTO outbox (${eventColumns}) SELECT * FROM ${unnest([
    ...['uuid', 'text', 'uuid', 'uuid', 'uuid'],
    ...['bigint', 'bigint', 'bigint', 'bigint'],
  ])}`,
}

/** Puts events into the outbox, inside a transaction. */
export async function queueEvents(sql: Sql, events: readonly SecretEvent[]): Promise<void> {
  if (events.length === 0) return
  const rows = events.map(eventValues)
  await sql.changes(
    insert,
    Array.from({ length: 9 }, (_, column): Value => rows.map((row) => row[column] as string | number | null)),
  )
}

export function eventValues(event: SecretEvent): EventRow {
  const { id, type, accountId, secretId, folderId, createdAtMicros, opens, opensLeft, expiresAtMicros } =
    event
  return [id, type, accountId, secretId, folderId, createdAtMicros, opens, opensLeft ?? null, expiresAtMicros]
}

export function eventOf(row: EventRow): SecretEvent {
  const [id, type, accountId, secretId, folderId, createdAtMicros, opens, opensLeft, expiresAtMicros] = row
  return {
    id,
    type,
    accountId,
    secretId,
    folderId,
    createdAtMicros,
    opens,
    opensLeft: opensLeft ?? undefined,
    expiresAtMicros,
  }
}
