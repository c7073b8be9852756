import { err, ok, type Result, type ResultAsync } from 'neverthrow'
import { uuidToFind } from '../entities/uuid.ts'
import type { DeliveryNotFound, StorageError } from '../errors.ts'
import type { PortMethods } from '../ports/ports.ts'

export type RetryDeliveryDeps = PortMethods<{ deliveries: 'retry'; clock: 'nowMicros' }>
export interface RetryDeliveryInput {
  readonly id: string
}
export type RetryDeliveryError = DeliveryNotFound | StorageError

/**
 * Makes a message due now, as if no attempt had failed, also one that was given up.
 * @errors `delivery_not_found`, the same for an unknown or malformed id
 */
export function retryDelivery(
  { deliveries, clock }: RetryDeliveryDeps,
  { id }: RetryDeliveryInput,
): ResultAsync<void, RetryDeliveryError> {
  return deliveries
    .retry(uuidToFind(id), clock.nowMicros())
    .andThen((found): Result<void, DeliveryNotFound> => (found ? ok() : err({ code: 'delivery_not_found' })))
}
