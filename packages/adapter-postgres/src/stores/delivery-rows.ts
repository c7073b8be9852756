import type { Delivery, Target, Uuid } from '@sotto/core'
import { eventColumns, eventOf, type EventRow } from './events.ts'
import { targetOf } from './targets.ts'

/** The columns of a delivery, in the order of {@link DeliveryRow}. */
export const deliveryColumns = `${eventColumns}, id, target_kind, target_id, joins, count, attempts, last_failure, due_at, dead_at`

type StateRow = [
  id: Uuid,
  targetKind: Target['kind'],
  targetId: Uuid,
  joins: boolean,
  count: number,
  attempts: number,
  lastFailure: string | null,
  dueAt: number,
  deadAt: number | null,
]

export type DeliveryRow = [...EventRow, ...StateRow]

/** How many columns an event has. */
const eventLength = 9

export function deliveryOf(row: DeliveryRow): Delivery {
  const event = eventOf(row.slice(0, eventLength) as EventRow)
  const state = row.slice(eventLength) as StateRow
  const [id, kind, targetId, joins, count, attempts, lastFailure, dueAtMicros, deadAt] = state
  return {
    id,
    target: targetOf(kind, targetId, event.accountId),
    event,
    dueAtMicros,
    joins,
    count,
    attempts,
    lastFailure: lastFailure ?? undefined,
    deadAtMicros: deadAt ?? undefined,
  }
}
