import type { SecretEvent, SecretEventType } from '@sotto/core'
import type { Connections } from '../file/connections.ts'
import { uuidBytes, uuidOf } from './codec.ts'

/** The columns of an event in `outbox` and `deliveries`, in the order of {@link eventValues}. */
export const eventColumns =
  'event_id, event_type, account_id, secret_id, folder_id, event_at, opens, opens_left, expires_at'

/** The columns that make an event, in the order of {@link EventRow}. */
export const eventRead =
  'hex(event_id), event_type, hex(account_id), hex(secret_id), hex(folder_id), event_at, opens, opens_left, expires_at'

export type EventRow = [
  id: string,
  type: SecretEventType,
  accountId: string,
  secretId: string,
  folderId: string,
  at: number,
  opens: number,
  opensLeft: number | null,
  expiresAt: number,
  ...more: unknown[],
]

/** Makes the function that puts an event into the outbox, inside a job. */
export function createQueueEvent({ writer }: Pick<Connections, 'writer'>): (event: SecretEvent) => void {
  const insert = writer.prepare(`INSERT INTO outbox (${eventColumns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`)
  return (event) => {
    insert.run(...eventValues(event))
  }
}

export function eventValues(event: SecretEvent): readonly (Buffer | string | number | undefined)[] {
  return [
    uuidBytes(event.id),
    event.type,
    uuidBytes(event.accountId),
    uuidBytes(event.secretId),
    uuidBytes(event.folderId),
    event.createdAtMicros,
    event.opens,
    event.opensLeft,
    event.expiresAtMicros,
  ]
}

export function eventOf(row: EventRow): SecretEvent {
  const [id, type, accountId, secretId, folderId, createdAtMicros, opens, opensLeft, expiresAtMicros] = row
  return {
    id: uuidOf(id),
    type,
    accountId: uuidOf(accountId),
    secretId: uuidOf(secretId),
    folderId: uuidOf(folderId),
    createdAtMicros,
    opens,
    opensLeft: opensLeft ?? undefined,
    expiresAtMicros,
  }
}
