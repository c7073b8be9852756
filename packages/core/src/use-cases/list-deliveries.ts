import { ok } from 'neverthrow'
import type { StorageError } from '../errors.ts'
import type { Delivery, DeliveryFilter } from '../ports/delivery-store.ts'
import type { PortMethods } from '../ports/ports.ts'
import { pagesOf, type ListInput, type Pages } from './pages.ts'

export type ListDeliveriesDeps = PortMethods<{ deliveries: 'page' }>
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
