import type { SecretEvent, Target } from '@sotto/core'
import { inOrder, targetKey, type DeliveryRow, type MemoryData } from './memory-data.ts'
import type { NamedRow, Values } from './memory-move-values.ts'

export function namedEvent(event: SecretEvent): NamedRow {
  return {
    event_id: event.id,
    event_type: event.type,
    account_id: event.accountId,
    secret_id: event.secretId,
    folder_id: event.folderId,
    event_at: event.createdAtMicros,
    opens: event.opens,
    opens_left: event.opensLeft ?? null,
    expires_at: event.expiresAtMicros,
  }
}

export function eventOf({ uuid, integer, text, maybe }: Values): SecretEvent {
  return {
    id: uuid('event_id'),
    type: text('event_type') as SecretEvent['type'],
    accountId: uuid('account_id'),
    secretId: uuid('secret_id'),
    folderId: uuid('folder_id'),
    createdAtMicros: integer('event_at'),
    opens: integer('opens'),
    opensLeft: maybe<number>('opens_left'),
    expiresAtMicros: integer('expires_at'),
  }
}

export function deliveryRows({ deliveries }: MemoryData): readonly NamedRow[] {
  const rows = [...deliveries.values()]
  return rows.map(({ delivery, isTouched }) => ({
    id: delivery.id,
    target_kind: delivery.target.kind,
    target_id: delivery.target.kind === 'mail' ? delivery.target.accountId : delivery.target.webhookId,
    ...namedEvent(delivery.event),
    joins: delivery.joins,
    count: delivery.count,
    attempts: delivery.attempts,
    last_failure: delivery.lastFailure ?? null,
    due_at: delivery.dueAtMicros,
    dead_at: delivery.deadAtMicros ?? null,
    is_head: isHead(delivery, rows),
    was_leased: isTouched,
  }))
}

/** Whether it is the first of those to its target about its secret that are not dead. */
function isHead(delivery: DeliveryRow['delivery'], rows: readonly DeliveryRow[]): boolean {
  const [first] = rows
    .map((row) => row.delivery)
    .filter(
      ({ target, event, deadAtMicros }) =>
        deadAtMicros === undefined &&
        event.secretId === delivery.event.secretId &&
        targetKey(target) === targetKey(delivery.target),
    )
    .toSorted((one, other) => inOrder(one.event, other.event))
  return first === delivery
}

export function deliveryOf(values: Values): DeliveryRow {
  const { uuid, integer, text, flag, maybe } = values
  const event = eventOf(values)
  const { accountId } = event
  const target: Target =
    text('target_kind') === 'mail'
      ? { kind: 'mail', accountId }
      : { kind: 'webhook', accountId, webhookId: uuid('target_id') }
  const delivery = {
    id: uuid('id'),
    target,
    event,
    dueAtMicros: integer('due_at'),
    joins: flag('joins'),
    count: integer('count'),
    attempts: integer('attempts'),
    lastFailure: maybe<string>('last_failure'),
    deadAtMicros: maybe<number>('dead_at'),
  }
  return { delivery, isTouched: flag('was_leased') }
}
