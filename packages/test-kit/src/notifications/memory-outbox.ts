import {
  isRequestEvent,
  subjectOf,
  type Delivery,
  type EventDeliveries,
  type NewDelivery,
  type OutboxStore,
  type OwnerEvent,
} from '@sotto/core'
import { ok } from 'neverthrow'
import {
  inOrder,
  isSameTarget,
  pageOf,
  type DeliveryRow,
  type MemoryConnection,
  type MemoryData,
} from '../stores/memory-data.ts'

export function createMemoryOutbox({ data, answer, hasAccount }: MemoryConnection): OutboxStore {
  const add = ({ eventId, deliveries }: EventDeliveries): number => {
    if (!data.outbox.delete(eventId)) return 0
    for (const delivery of deliveries) if (hasAccount(delivery.target.accountId)) addDelivery(data, delivery)
    return 1
  }
  return {
    page: (after, limit) => answer(() => ok(pageOf([...data.outbox.values()], after, limit))),

    distribute: (events) => answer(() => ok(events.reduce((replaced, each) => replaced + add(each), 0))),

    eraseOld: (createdByMicros, limit) =>
      answer(() => {
        const old = [...data.outbox.values()]
          .filter(({ createdAtMicros }) => createdAtMicros <= createdByMicros)
          .slice(0, limit)
        for (const { id } of old) data.outbox.delete(id)
        return ok(old.length)
      }),
  }
}

function addDelivery({ deliveries }: MemoryData, added: NewDelivery): void {
  const row = rowToJoin([...deliveries.values()], added)
  const fresh = { count: 1, attempts: 0, lastFailure: undefined, deadAtMicros: undefined }
  const delivery = row === undefined ? { ...added, ...fresh } : joined(row.delivery, added)
  deliveries.set(delivery.id, structuredClone({ delivery, isTouched: false }))
}

/** The delivery that another one joins: the last that waits for its target about its secret, if nobody may have sent it. */
function rowToJoin(
  rows: readonly DeliveryRow[],
  { target, event, joins }: NewDelivery,
): DeliveryRow | undefined {
  const last = rows
    .filter(({ delivery }) => delivery.deadAtMicros === undefined && isSameTarget(delivery.target, target))
    .filter(({ delivery }) => subjectOf(delivery.event) === subjectOf(event))
    .toSorted((one, other) => inOrder(one.delivery.event, other.delivery.event))
    .at(-1)
  const fits = joins && last?.delivery.joins === true && last.delivery.event.type === event.type
  return fits && !last.isTouched ? last : undefined
}

function joined(waiting: Delivery, { event }: NewDelivery): Delivery {
  const count = waiting.count + 1
  if (count === 1) return { ...waiting, count, event }
  const latest = countOf(event) < countOf(waiting.event) ? waiting.event : event
  return { ...waiting, count, event: { ...latest, id: waiting.event.id } }
}

function countOf(event: OwnerEvent): number {
  return isRequestEvent(event) ? event.answers : event.opens
}
