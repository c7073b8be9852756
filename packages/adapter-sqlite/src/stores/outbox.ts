import type { OutboxMessage, OutboxStore } from '@sotto/core'
import { ok } from 'neverthrow'
import type { Connections } from '../file/connections.ts'
import { cursorOf, uuidBytes, uuidOf } from './codec.ts'

type Row = [id: string, accountId: string, type: string, createdAt: number, body: string]

export function createOutbox({ reader, writer, read, write }: Connections): OutboxStore {
  const page = reader
    .prepare<[number, Buffer, number], Row>(
      `SELECT hex(id), hex(account_id), type, created_at, body FROM outbox
       WHERE (created_at, id) > (?, ?) ORDER BY created_at, id LIMIT ?`,
    )
    .raw()
  const remove = writer.prepare('DELETE FROM outbox WHERE id = ?')

  return {
    page: (after, limit) => read(() => page.all(...cursorOf(after), limit).map(messageOf)),

    remove: (id) => write(() => ok(remove.run(uuidBytes(id)).changes > 0)),
  }
}

/** Makes the function that puts a message into the outbox, inside a job. */
export function createQueueMessage({
  writer,
}: Pick<Connections, 'writer'>): (message: OutboxMessage) => void {
  const insert = writer.prepare(
    'INSERT INTO outbox (id, account_id, type, created_at, body) VALUES (?, ?, ?, ?, ?)',
  )
  return ({ id, accountId, type, createdAtMicros, body }) => {
    insert.run(uuidBytes(id), uuidBytes(accountId), type, createdAtMicros, body)
  }
}

function messageOf([id, accountId, type, createdAtMicros, body]: Row): OutboxMessage {
  return { id: uuidOf(id), accountId: uuidOf(accountId), type, createdAtMicros, body }
}
