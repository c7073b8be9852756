import type { ResultAsync } from 'neverthrow'
import type { StorageError } from '../errors.ts'
import type { QueueState } from '../ports/delivery-store.ts'
import type { Ports } from '../ports/ports.ts'

export type GetQueueStateDeps = Pick<Ports, 'deliveries'>
export type GetQueueStateError = StorageError

/** How much waits to be delivered, and since when. */
export function getQueueState({
  deliveries,
}: GetQueueStateDeps): ResultAsync<QueueState, GetQueueStateError> {
  return deliveries.state()
}
