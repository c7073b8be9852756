import type { Delivery } from '@sotto/core'
import { uuidOf } from './codec.ts'
import { eventOf, eventRead, type EventRow } from './events.ts'
import { targetOf, type TargetRow } from './targets.ts'

/** The columns of a delivery that make it together with its target, in the order of {@link DeliveryRow}. */
export const deliveryRead = `${eventRead}, hex(id), joins, count, attempts, last_failure, due_at, dead_at`

type StateRow = [
  id: string,
  joins: number,
  count: number,
  attempts: number,
  lastFailure: string | null,
  dueAt: number,
  deadAt: number | null,
]

/** How many columns an event has. */
const eventLength = 9

export type DeliveryRow = [...EventRow]

export function deliveryOf(row: DeliveryRow, target: TargetRow): Delivery {
  const [id, joins, count, attempts, lastFailure, dueAtMicros, deadAt] = row.slice(eventLength) as StateRow
  return {
    id: uuidOf(id),
    target: targetOf(target),
    event: eventOf(row),
    dueAtMicros,
    joins: joins === 1,
    count,
    attempts,
    lastFailure: lastFailure ?? undefined,
    deadAtMicros: deadAt ?? undefined,
  }
}
