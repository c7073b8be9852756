import type { EventDeliveries, NewDelivery, OutboxStore, Target } from '@sotto/core'
import { ok } from 'neverthrow'
import { addDelivery } from './add-delivery.ts'
import { cursorOf } from '../engine/codec.ts'
import { changes, exists, type Dialect, type Engine, type Work } from '../engine/engine.ts'
import { rowsOf } from '../engine/row-codec.ts'
import { eventFields, eventOf, type EventRow } from '../shared/events.ts'
import { notificationTables } from './tables.ts'
import { byKey, lockTarget, spelled } from './targets.ts'

const eventRows = rowsOf(notificationTables.outbox).reading<EventRow>(eventFields)

/** The events that no target was chosen for yet. */
export function createOutbox({ dialect, list, write, change }: Engine): OutboxStore {
  const queued = eventRows(dialect)
  const some = `SELECT ${queued.columns} FROM outbox WHERE (event_at, event_id) > ($1, $2) ORDER BY event_at, event_id LIMIT $3`
  return {
    page: (after, limit) =>
      list(some, [...cursorOf(dialect, after), limit], (found: unknown[]) => eventOf(queued.read(found))),

    // The locks of the targets keep other writers away: the queue's few rows would conflict all the time.
    distribute: (events) =>
      write(
        function* () {
          return ok(yield* distribute(dialect, events))
        },
        { isolation: 'locks' },
      ),

    eraseOld: (createdByMicros, limit) =>
      change(
        `DELETE FROM outbox WHERE event_id IN
           (SELECT event_id FROM outbox WHERE event_at <= $1 ORDER BY event_at LIMIT $2)`,
        ...[createdByMicros, limit],
      ),
  }
}

/** Where several processes replace one event, one removes its row; the others wait for that, and find none. */
function* distribute(dialect: Dialect, events: readonly EventDeliveries[]): Work<number> {
  const removed: EventDeliveries[] = []
  for (const each of inOrder(events, ({ eventId }) => eventId)) {
    const count = yield* changes('DELETE FROM outbox WHERE event_id = $1', dialect.id.in(each.eventId))
    if (count > 0) removed.push(each)
  }
  const wanted = yield* ofAccountsThere(
    dialect,
    events.flatMap((each) => (removed.includes(each) ? each.deliveries : [])),
  )
  for (const target of targetsOf(wanted)) yield* lockTarget(dialect, target)
  for (const delivery of wanted) yield* addDelivery(dialect, delivery)
  return removed.length
}

/** Sorts by a key, so that no two transactions wait for each other. */
function inOrder<T>(values: readonly T[], keyOf: (value: T) => string): readonly T[] {
  return [...values].sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))
}

/**
 * The deliveries to accounts that are there; their erasure cannot begin before the transaction ends, and then it sees and erases what is
 * added here.
 */
function* ofAccountsThere(
  dialect: Dialect,
  deliveries: readonly NewDelivery[],
): Work<readonly NewDelivery[]> {
  const there = new Set<string>()
  const asked = new Set(deliveries.map(({ target }) => target.accountId))
  for (const accountId of inOrder([...asked], (each) => each)) {
    const isThere = yield* exists(
      `SELECT 1 FROM accounts WHERE id = $1 AND name_index IS NOT NULL${dialect.forKeyShare}`,
      dialect.id.in(accountId),
    )
    if (isThere) there.add(accountId)
  }
  return deliveries.filter(({ target }) => there.has(target.accountId))
}

function targetsOf(deliveries: readonly NewDelivery[]): readonly Target[] {
  const targets = deliveries.map(({ target }) => [spelled(target), target] as const)
  return [...new Map(targets).values()].sort(byKey)
}
