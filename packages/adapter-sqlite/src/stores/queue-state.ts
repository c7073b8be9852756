import type { DeliveryStore, QueueState } from '@sotto/core'
import type { Connections } from '../file/connections.ts'
import { isWaiting } from './delivery-page.ts'

/** Counts the entries of three indexes, without the rows: some milliseconds for 100,000 deliveries. */
export function createQueueState({ reader, read }: Connections): DeliveryStore['state'] {
  const numberOf = (from: string) => reader.prepare<[], number>(`SELECT count(*) FROM ${from}`).pluck()
  const [events, waiting, dead] = [
    numberOf('outbox'),
    numberOf(`deliveries INDEXED BY waiting_by_time WHERE ${isWaiting}`),
    numberOf('deliveries INDEXED BY dead_by_death WHERE dead_at IS NOT NULL'),
  ]
  const oldestEvent = reader.prepare<[], number | null>('SELECT min(event_at) FROM outbox').pluck()
  const oldestWaiting = reader
    .prepare<[], number | null>(`SELECT min(event_at) FROM deliveries WHERE ${isWaiting}`)
    .pluck()

  return () =>
    read((): QueueState => {
      const oldest = [oldestEvent.get(), oldestWaiting.get()].filter((at) => typeof at === 'number')
      return {
        events: events.get() ?? 0,
        waiting: waiting.get() ?? 0,
        dead: dead.get() ?? 0,
        oldestMicros: oldest.length === 0 ? undefined : Math.min(...oldest),
      }
    })
}

export function createNextDue({ reader, read }: Connections): DeliveryStore['nextDue'] {
  const next = reader
    .prepare<[string], number>(
      'SELECT due_at FROM targets WHERE kind = ? AND due_at IS NOT NULL ORDER BY due_at LIMIT 1',
    )
    .pluck()
  return (kind) => read(() => next.get(kind))
}
