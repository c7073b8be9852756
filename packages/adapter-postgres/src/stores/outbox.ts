import type { EventDeliveries, NewDelivery, OutboxStore, Target, Uuid } from '@sotto/core'
import { ok } from 'neverthrow'
import type { Database } from '../connection/database.ts'
import type { Sql } from '../connection/sql.ts'
import { addDelivery } from './add-delivery.ts'
import { cursorOf } from './codec.ts'
import { eventColumns, eventOf, type EventRow } from './events.ts'
import { byKey, lockTarget, targetKey } from './targets.ts'

const page = {
  name: 'outbox_page',
  text: `SELECT ${eventColumns} FROM outbox WHERE (event_at, event_id) > ($1, $2)
    ORDER BY event_at, event_id LIMIT $3`,
}
const eraseOld = {
  name: 'outbox_erase_old',
  text: `DELETE FROM outbox WHERE event_id IN
    (SELECT event_id FROM outbox WHERE event_at <= $1 ORDER BY event_at LIMIT $2)`,
}

export function createOutbox(db: Database): OutboxStore {
  return {
    page: (after, limit) =>
      db.read(async (sql) => (await sql.rows<EventRow>(page, [...cursorOf(after), limit])).map(eventOf)),

    // The locks of the targets, not SERIALIZABLE, keep other writers away: the queue's few rows would conflict all the time.
    distribute: (events) =>
      db.transaction(async (sql) => ok(await distribute(sql, events)), { isolation: 'READ COMMITTED' }),

    eraseOld: (createdByMicros, limit) =>
      db.statement(async (sql) => ok(await sql.changes(eraseOld, [createdByMicros, limit]))),
  }
}

const remove = {
  name: 'outbox_remove',
  text: 'DELETE FROM outbox WHERE event_id = ANY ($1::uuid[]) RETURNING event_id',
}

/** Of several processes that replace one event, one removes its row; the others wait for that, and find none. */
async function distribute(sql: Sql, events: readonly EventDeliveries[]): Promise<number> {
  const removed = await sql.rows<[Uuid]>(remove, [events.map(({ eventId }) => eventId)])
  const ids = new Set(removed.map(([id]) => id))
  const deliveries = events.flatMap((each) => (ids.has(each.eventId) ? each.deliveries : []))
  const present = await lockAccounts(sql, deliveries)
  const wanted = deliveries.filter(({ target }) => present.has(target.accountId))
  for (const target of targetsOf(wanted)) await lockTarget(sql, target)
  for (const delivery of wanted) await addDelivery(sql, delivery)
  return removed.length
}

const accountsThere = {
  name: 'outbox_accounts',
  text: `SELECT id FROM accounts WHERE id = ANY ($1::uuid[]) AND name_index IS NOT NULL ORDER BY id FOR KEY SHARE`,
}

/** Those accounts that are there; their erasure cannot begin before the transaction ends, and then it sees and erases what is added here. */
async function lockAccounts(sql: Sql, deliveries: readonly NewDelivery[]): Promise<ReadonlySet<Uuid>> {
  if (deliveries.length === 0) return new Set()
  const ids = [...new Set(deliveries.map(({ target }) => target.accountId))]
  const rows = await sql.rows<[Uuid]>(accountsThere, [ids])
  return new Set(rows.map(([id]) => id))
}

function targetsOf(deliveries: readonly NewDelivery[]): readonly Target[] {
  const targets = deliveries.map(({ target }) => [targetKey(target).join(), target] as const)
  return [...new Map(targets).values()].sort(byKey)
}
