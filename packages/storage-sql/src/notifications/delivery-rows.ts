import type { Delivery, Target } from '@sotto/core'
import type { Dialect } from '../engine/engine.ts'
import { eventColumns, eventOf, type EventRow } from '../shared/events.ts'
import { targetOf } from './targets.ts'

/** The columns of a delivery, in the order of {@link DeliveryRow}. */
export const deliveryColumns = `${eventColumns}, id, target_kind, target_id, joins, count, attempts, last_failure, due_at, dead_at`

type StateRow = readonly [
  id: unknown,
  targetKind: Target['kind'],
  targetId: unknown,
  joins: unknown,
  count: number,
  attempts: number,
  lastFailure: string | null,
  dueAt: number,
  deadAt: number | null,
]

/** The columns of an event, then those of the delivery's own state. */
export type DeliveryRow = EventRow

/** How many columns an event has. */
const eventLength = 9

export function deliveryOf(dialect: Dialect, found: DeliveryRow): Delivery {
  const { id, flag } = dialect
  const event = eventOf(dialect, found)
  const [deliveryId, kind, targetId, joins, count, attempts, lastFailure, dueAtMicros, deadAt] = found.slice(
    eventLength,
  ) as unknown as StateRow
  return {
    id: id.out(deliveryId),
    target: targetOf(kind, id.out(targetId), event.accountId),
    event,
    dueAtMicros,
    joins: flag.out(joins),
    count,
    attempts,
    lastFailure: lastFailure ?? undefined,
    deadAtMicros: deadAt ?? undefined,
  }
}
