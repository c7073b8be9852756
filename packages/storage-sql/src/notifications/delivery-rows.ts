import type { Delivery, Target, Uuid } from '@sotto/core'
import { rowsOf } from '../engine/row-codec.ts'
import { eventFields, eventOf, type EventRow } from '../shared/events.ts'
import { notificationTables } from './tables.ts'
import { targetOf } from './targets.ts'

interface DeliveryRow extends EventRow, Omit<Delivery, 'target' | 'event'> {
  readonly targetKind: string
  readonly targetId: Uuid
}

export const deliveryRows = rowsOf(notificationTables.deliveries).reading<DeliveryRow>({
  ...eventFields,
  id: 'id',
  targetKind: 'target_kind',
  targetId: 'target_id',
  joins: 'joins',
  count: 'count',
  attempts: 'attempts',
  lastFailure: 'last_failure',
  dueAtMicros: 'due_at',
  deadAtMicros: 'dead_at',
})

export function deliveryOf(row: DeliveryRow): Delivery {
  const { id, targetKind, targetId, joins, count, attempts, lastFailure, dueAtMicros, deadAtMicros } = row
  return {
    ...{ id, joins, count, attempts, lastFailure, dueAtMicros, deadAtMicros },
    event: eventOf(row),
    target: targetOf(targetKind as Target['kind'], targetId, row.accountId),
  }
}
