import type { Uuid } from './uuid.ts'

/** What every event says. */
export interface EventBase {
  /** The id, which is made with the event. It stays the same however often messages about it are sent. */
  readonly id: Uuid
  readonly accountId: Uuid
  readonly folderId: Uuid
  /** When it happened. */
  readonly createdAtMicros: number
  readonly expiresAtMicros: number
}

/** What an event takes besides the secret or the request. */
export interface EventStamp {
  readonly id: Uuid
  /** When it happened. */
  readonly atMicros: number
}
