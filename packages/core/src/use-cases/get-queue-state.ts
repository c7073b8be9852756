import type { ResultAsync } from 'neverthrow'
import type { StorageError } from '../errors.ts'
import type { QueueState } from '../ports/delivery-store.ts'
import type { PortMethods } from '../ports/ports.ts'

export type GetQueueStateDeps = PortMethods<{ deliveries: 'state' }>
export type GetQueueStateError = StorageError

/** How much waits to be delivered, and since when. */
export function getQueueState({
  deliveries,
}: GetQueueStateDeps): ResultAsync<QueueState, GetQueueStateError> {
  return deliveries.state()
}
