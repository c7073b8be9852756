import type { DeliveryStore } from '@sotto/core'
import type { Database } from '../connection/database.ts'
import { isWaiting } from './delivery-page.ts'

const state = {
  name: 'queue_state',
  text: `SELECT (SELECT count(*) FROM outbox),
    (SELECT count(*) FROM deliveries WHERE ${isWaiting}),
    (SELECT count(*) FROM deliveries WHERE dead_at IS NOT NULL),
    least((SELECT min(event_at) FROM outbox), (SELECT min(event_at) FROM deliveries WHERE ${isWaiting}))`,
}

export function createQueueState(db: Database): DeliveryStore['state'] {
  return () =>
    db.read(async (sql) => {
      const row = await sql.row<[number, number, number, number | null]>(state)
      const [events = 0, waiting = 0, dead = 0, oldest = null] = row ?? []
      return { events, waiting, dead, oldestMicros: oldest ?? undefined }
    })
}

const nextDue = {
  name: 'queue_next_due',
  text: 'SELECT due_at FROM targets WHERE kind = $1 AND due_at IS NOT NULL ORDER BY due_at LIMIT 1',
}

export function createNextDue(db: Database): DeliveryStore['nextDue'] {
  return (kind) => db.read(async (sql) => (await sql.row<[number]>(nextDue, [kind]))?.[0])
}
