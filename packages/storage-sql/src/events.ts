import type { SecretEvent, SecretEventType } from '@sotto/core'
import type { Dialect, SqlValue } from './engine.ts'

/** The columns of an event in `outbox` and `deliveries`, in the order of {@link EventRow}. */
export const eventColumns =
  'event_id, event_type, account_id, secret_id, folder_id, event_at, opens, opens_left, expires_at'

/** The same in a SELECT, as {@link eventOf} takes them. */
export const eventRead = ({ id }: Dialect): string =>
  eventColumns.replaceAll(/\w+_id/g, (column) => id.read(column))

export type EventRow = readonly [
  id: unknown,
  type: SecretEventType,
  accountId: unknown,
  secretId: unknown,
  folderId: unknown,
  at: number,
  opens: number,
  opensLeft: number | null,
  expiresAt: number,
  ...more: unknown[],
]

/** The values of an event, in the order of {@link eventColumns}. */
export function eventValues({ id }: Dialect, event: SecretEvent): readonly SqlValue[] {
  const { type, createdAtMicros, opens, opensLeft, expiresAtMicros } = event
  const ids = [event.accountId, event.secretId, event.folderId].map((each) => id.in(each))
  return [id.in(event.id), type, ...ids, createdAtMicros, opens, opensLeft, expiresAtMicros]
}

export function eventOf({ id }: Dialect, found: EventRow): SecretEvent {
  const [eventId, type, accountId, secretId, folderId, createdAtMicros, opens, opensLeft, expiresAtMicros] =
    found
  return {
    id: id.out(eventId),
    type,
    accountId: id.out(accountId),
    secretId: id.out(secretId),
    folderId: id.out(folderId),
    createdAtMicros,
    opens,
    opensLeft: opensLeft ?? undefined,
    expiresAtMicros,
  }
}
