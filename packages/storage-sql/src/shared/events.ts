import {
  isRequestEvent,
  requestEventTypes,
  subjectOf,
  type OwnerEvent,
  type RequestEventType,
  type SecretEventType,
} from '@sotto/core'
import { changes, type Dialect, type SqlValue, type Work } from '../engine/engine.ts'

/**
 * The columns of an event in `outbox` and `deliveries`, in the order of {@link EventRow}. They are named after the events of secrets: one
 * about a request has the request's id in `secret_id`, and its answers in `opens` and `opens_left`.
 */
export const eventColumns =
  'event_id, event_type, account_id, secret_id, folder_id, event_at, opens, opens_left, expires_at'

/** The columns of an event in a SELECT, as {@link eventOf} takes them. */
export const eventRead = ({ id }: Dialect): string =>
  eventColumns.replaceAll(/\b\w+_id\b/g, (column) => id.read(column))

export type EventRow = readonly [
  id: unknown,
  type: SecretEventType | RequestEventType,
  accountId: unknown,
  subjectId: unknown,
  folderId: unknown,
  at: number,
  count: number,
  left: number | null,
  expiresAt: number,
  ...more: unknown[],
]

/** The values of an event, in the order of {@link eventColumns}. */
export function eventValues({ id }: Dialect, event: OwnerEvent): readonly SqlValue[] {
  const { type, createdAtMicros, expiresAtMicros } = event
  const ids = [event.accountId, subjectOf(event), event.folderId].map((each) => id.in(each))
  const counts = isRequestEvent(event) ? [event.answers, event.answersLeft] : [event.opens, event.opensLeft]
  return [id.in(event.id), type, ...ids, createdAtMicros, ...counts, expiresAtMicros]
}

/** Puts an event into the outbox, inside work that writes. */
export function queueEvent(dialect: Dialect, event: OwnerEvent): Work<number> {
  return changes(
    `INSERT INTO outbox (${eventColumns}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    ...eventValues(dialect, event),
  )
}

export function eventOf({ id }: Dialect, found: EventRow): OwnerEvent {
  const [eventId, type, account, subject, folder, createdAtMicros, count, left, expiresAtMicros] = found
  const accountId = id.out(account)
  const subjectId = id.out(subject)
  const folderId = id.out(folder)
  return isRequestType(type)
    ? {
        ...{ id: id.out(eventId), type, accountId, requestId: subjectId, folderId, createdAtMicros },
        ...{ answers: count, answersLeft: left ?? 0, expiresAtMicros },
      }
    : {
        ...{ id: id.out(eventId), type, accountId, secretId: subjectId, folderId, createdAtMicros },
        ...{ opens: count, opensLeft: left ?? undefined, expiresAtMicros },
      }
}

function isRequestType(type: OwnerEvent['type']): type is RequestEventType {
  return requestEventTypes.some((each) => each === type)
}
