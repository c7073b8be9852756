import type { ResultAsync } from 'neverthrow'
import type { StorageError } from '../shared/errors.ts'
import { newId } from '../shared/ids.ts'
import type { DepsOf } from '../shared/use-case.ts'
import { closedUnansweredEvent } from './answering.ts'

/** What {@link eraseRequests} needs. */
export const eraseRequestsNeeds = ['requests.eraseExpired', 'random.bytes'] as const

/**
 * Erases at most `limit` requests that closed at `closedByMicros` or before. Queues an event for each that nobody answered. Ok with how
 * many it erased.
 */
export function eraseRequests(
  { requests, random }: DepsOf<(typeof eraseRequestsNeeds)[number]>,
  { closedByMicros, nowMicros }: { readonly closedByMicros: number; readonly nowMicros: number },
  limit: number,
): ResultAsync<number, StorageError> {
  return requests.eraseExpired(closedByMicros, limit, (unanswered) =>
    closedUnansweredEvent(unanswered, newId(random, nowMicros)),
  )
}
