import { errAsync, ok, okAsync, type Result, type ResultAsync } from 'neverthrow'
import type { StorageError } from '../../shared/errors.ts'
import type { Delivery } from './delivery-store.ts'
import type { SendFailed } from './senders.ts'

// What delivering to mail addresses and to webhooks have in common.

/** Sends one message. */
export type Send = () => ResultAsync<void, SendFailed>

/** The way to one target. */
export interface Route {
  /** Reads what the message needs. */
  prepare(delivery: Delivery): Promise<Result<Send, StorageError>>
  /** Records what an attempt tells about the target. */
  recordOutcome(sent: Result<void, SendFailed>): ResultAsync<unknown, StorageError>
}

/** The way to a target that nothing can be sent to now, or ever. */
export function blockedRoute(verdict: SendFailed['verdict'], reason: string): Route {
  return {
    // eslint-disable-next-line @typescript-eslint/require-await -- there is nothing to read
    prepare: async () => ok(() => errAsync({ code: 'send_failed', reason, verdict })),
    recordOutcome: () => okAsync(undefined),
  }
}
