import type { OwnerEvent } from '@sotto/core'
import { eventColumns, eventValues } from '@sotto/storage-sql'
import { sqliteDialect } from '../engine/engine.ts'
import type { Connections } from '../connection/connections.ts'

/** Makes the function that puts an event into the outbox, inside a job. */
export function createQueueEvent({ writer }: Pick<Connections, 'writer'>): (event: OwnerEvent) => void {
  const insert = writer.prepare(`INSERT INTO outbox (${eventColumns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`)
  return (event) => {
    insert.run(...eventValues(sqliteDialect, event))
  }
}
