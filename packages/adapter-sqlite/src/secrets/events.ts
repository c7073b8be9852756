import type { OwnerEvent } from '@sotto/core'
import { eventColumns, eventValues } from '@sotto/storage-sql'
import { sqliteDialect } from '../engine/engine.ts'
import type { Connections } from '../connection/connections.ts'

/** Makes the function that puts an event into the outbox, inside a job. */
export function createQueueEvent({ db }: Pick<Connections, 'db'>): (event: OwnerEvent) => void {
  const insert = db.prepare(`INSERT INTO outbox (${eventColumns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`)
  return (event) => {
    insert.run(...eventValues(sqliteDialect, event))
  }
}
