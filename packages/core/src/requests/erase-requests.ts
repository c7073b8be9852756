import type { ResultAsync } from 'neverthrow'
import type { StorageError } from '../shared/errors.ts'
import type { Random } from '../shared/random.ts'
import type { RequestStore } from './request-store.ts'
import { newId } from '../shared/ids.ts'
import { closedUnansweredEvent } from './answering.ts'

export interface EraseRequestsDeps {
  readonly requests: Pick<RequestStore, 'eraseExpired'>
  readonly random: Random
}

/**
 * Erases at most `limit` requests that closed at `closedByMicros` or before. Queues an event for each that nobody answered. Ok with how
 * many it erased.
 */
export function eraseRequests(
  { requests, random }: EraseRequestsDeps,
  { closedByMicros, nowMicros }: { readonly closedByMicros: number; readonly nowMicros: number },
  limit: number,
): ResultAsync<number, StorageError> {
  return requests.eraseExpired(closedByMicros, limit, (unanswered) =>
    closedUnansweredEvent(unanswered, newId(random, nowMicros)),
  )
}
