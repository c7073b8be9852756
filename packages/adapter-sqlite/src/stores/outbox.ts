import type { EventDeliveries, OutboxStore } from '@sotto/core'
import { ok } from 'neverthrow'
import type { Connections } from '../file/connections.ts'
import { createAddDelivery } from './add-delivery.ts'
import { cursorOf, uuidBytes } from './codec.ts'
import { eventOf, eventRead, type EventRow } from './events.ts'

export function createOutbox(connections: Connections): OutboxStore {
  const { reader, writer, read, write } = connections
  const page = reader
    .prepare<[number, Buffer, number], EventRow>(
      `SELECT ${eventRead} FROM outbox WHERE (event_at, event_id) > (?, ?) ORDER BY event_at, event_id LIMIT ?`,
    )
    .raw()
  const eraseOld = writer.prepare(
    'DELETE FROM outbox WHERE event_id IN (SELECT event_id FROM outbox WHERE event_at <= ? ORDER BY event_at LIMIT ?)',
  )

  return {
    page: (after, limit) => read(() => page.all(...cursorOf(after), limit).map(eventOf)),

    distribute: createDistribute(connections),

    eraseOld: (createdByMicros, limit) => write(() => ok(eraseOld.run(createdByMicros, limit).changes)),
  }
}

function createDistribute(connections: Connections): OutboxStore['distribute'] {
  const { writer, write } = connections
  const remove = writer.prepare('DELETE FROM outbox WHERE event_id = ?')
  const add = createAddDelivery(connections)
  const replace = ({ eventId, deliveries }: EventDeliveries): boolean => {
    const isThere = remove.run(uuidBytes(eventId)).changes > 0
    if (isThere) deliveries.forEach(add)
    return isThere
  }
  return (events) => write(() => ok(events.filter(replace).length))
}
