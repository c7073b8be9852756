import {
  isRequestEvent,
  requestEventTypes,
  subjectOf,
  type OwnerEvent,
  type RequestEventType,
  type SecretEventType,
  type Uuid,
} from '@sotto/core'
import { changes, type Dialect, type SqlValue, type Work } from '../engine/engine.ts'

/**
 * The columns of an event in `outbox` and `deliveries`. They are named after the events of secrets: one about a request has the request's id
 * in `secret_id`, and its answers in `opens` and `opens_left`.
 */
export const eventFields = {
  eventId: 'event_id',
  type: 'event_type',
  accountId: 'account_id',
  subjectId: 'secret_id',
  folderId: 'folder_id',
  createdAtMicros: 'event_at',
  opens: 'opens',
  opensLeft: 'opens_left',
  expiresAtMicros: 'expires_at',
} as const

/** An event as a row has it. */
export interface EventRow {
  readonly eventId: Uuid
  readonly type: string
  readonly accountId: Uuid
  readonly subjectId: Uuid
  readonly folderId: Uuid
  readonly createdAtMicros: number
  readonly opens: number
  readonly opensLeft: number | undefined
  readonly expiresAtMicros: number
}

/** The columns of an event, in the order of {@link eventValues}. */
export const eventColumns = Object.values(eventFields).join(', ')

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

/** The event of a row, with its own names. */
export function eventOf({ eventId, type, subjectId, opens, opensLeft, ...row }: EventRow): OwnerEvent {
  const { accountId, folderId, createdAtMicros, expiresAtMicros } = row
  const shared = { id: eventId, accountId, folderId, createdAtMicros, expiresAtMicros }
  return isRequestType(type)
    ? { ...shared, type, requestId: subjectId, answers: opens, answersLeft: opensLeft ?? 0 }
    : { ...shared, type: type as SecretEventType, secretId: subjectId, opens, opensLeft }
}

function isRequestType(type: string): type is RequestEventType {
  return requestEventTypes.some((each) => each === type)
}
