import { type ResultAsync, ok } from 'neverthrow'
import { uuidToFind } from '../../shared/uuid.ts'
import type { DeliveryNotFound } from './errors.ts'
import type { StorageError } from '../../shared/errors.ts'
import type { Delivery, DeliveryFilter, DeliveryStore, QueueState } from './delivery-store.ts'
import type { Clock } from '../../shared/clock.ts'
import { foundOr } from '../../shared/found-or.ts'
import { type ListInput, type Pages, pagesOf } from '../../shared/pages.ts'

export interface ListDeliveriesDeps {
  readonly deliveries: Pick<DeliveryStore, 'page'>
}
export interface ListDeliveriesInput extends ListInput, DeliveryFilter {}
export type ListDeliveriesError = StorageError

/** Messages that wait to be delivered or were given up, by the time of their event and id. Of all accounts without `accountId`. */
export function listDeliveries(
  { deliveries }: ListDeliveriesDeps,
  { accountId, dead, after: first, pageSize }: ListDeliveriesInput = {},
): Pages<Delivery, ListDeliveriesError> {
  return pagesOf({
    after: first,
    pageSize,
    read: (after, limit) => deliveries.page({ accountId, dead }, after, limit),
    cursorOf: ({ id, event }) => ({ createdAtMicros: event.createdAtMicros, id }),
    show: (delivery) => ok(delivery),
  })
}

export interface RetryDeliveryDeps {
  readonly deliveries: Pick<DeliveryStore, 'retry'>
  readonly clock: Clock
}
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
  return deliveries.retry(uuidToFind(id), clock.nowMicros()).andThen(foundOr('delivery_not_found'))
}

export interface GetQueueStateDeps {
  readonly deliveries: Pick<DeliveryStore, 'state'>
}
export type GetQueueStateError = StorageError

/** How much waits to be delivered, and since when. */
export function getQueueState({
  deliveries,
}: GetQueueStateDeps): ResultAsync<QueueState, GetQueueStateError> {
  return deliveries.state()
}
