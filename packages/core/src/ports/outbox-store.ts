import type { ResultAsync } from 'neverthrow'
import type { Uuid } from '../entities/uuid.ts'
import type { StorageError } from '../errors.ts'
import type { Cursor } from './cursor.ts'

/** A message that waits to be sent. Holds nothing confidential: it is stored in plaintext. */
export interface OutboxMessage {
  /** Stays the same however often the message is sent. */
  readonly id: Uuid
  readonly accountId: Uuid
  /** What happened, such as `secret.opened`. */
  readonly type: string
  readonly createdAtMicros: number
  /** JSON. */
  readonly body: string
}

/**
 * Stores messages that wait to be sent. They get there by `LinkChange.messages`, in the transaction of the change that they report, so
 * none is lost by a crash and none reports a change that did not happen. No method throws or rejects.
 */
export interface OutboxStore {
  /** At most `limit` messages after the cursor, by creation and id ascending. */
  page(after: Cursor | undefined, limit: number): ResultAsync<readonly OutboxMessage[], StorageError>

  /** Removes a message, durably. Ok(false) when there is none with this id. */
  remove(id: Uuid): ResultAsync<boolean, StorageError>
}
