import type { ResultAsync } from 'neverthrow'
import type { OwnerEvent } from './owner-event.ts'
import type { StorageError } from '../../shared/errors.ts'
import type { Cursor } from '../../shared/cursor.ts'
import type { NewDelivery } from './delivery-store.ts'

/** What becomes of an event: a delivery for each target that is to hear of it; none when there is no such target. */
export interface EventDeliveries {
  readonly eventId: OwnerEvent['id']
  readonly deliveries: readonly NewDelivery[]
}

/**
 * Stores events that no target was chosen for yet. They get there by `LinkChange.events`, `AnswerChange.events`, and `eraseExpired` of secrets and
 * requests, in the transaction of the change that they report. So none is lost by a crash, and none reports a change that did not happen.
 * Stored in plaintext. No method throws or rejects.
 */
export interface OutboxStore {
  /** At most `limit` events after the cursor, by creation and id ascending. */
  page(after: Cursor | undefined, limit: number): ResultAsync<readonly OwnerEvent[], StorageError>

  /**
   * Replaces events by their deliveries, in one transaction. An event that is gone is left out, with its deliveries: another process has
   * replaced it. Ok with how many events were replaced.
   *
   * A delivery whose `joins` is set joins another one. That one waits for the same target about the same secret and type of event, and has
   * `joins` too. It was never leased since it was added or became a pause, and it is the last of those about that secret. Its `count` grows
   * by one. Its event becomes the new one, except for the event's id, which stays unless the count was 0. But an event that counts fewer
   * opens than the waiting one is only counted: opens at the same time may arrive in any order. So what waits for one target about one
   * secret stays one delivery, and the id of a message that may have been sent never gets another content.
   */
  distribute(events: readonly EventDeliveries[]): ResultAsync<number, StorageError>

  /** Erases at most `limit` events that were created at `createdByMicros` or before. Ok with how many it erased. */
  eraseOld(createdByMicros: number, limit: number): ResultAsync<number, StorageError>
}
