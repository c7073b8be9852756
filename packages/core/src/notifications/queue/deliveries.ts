import { ok } from 'neverthrow'
import { foundOr } from '../../shared/found-or.ts'
import { aBoolean, aString } from '../../shared/inputs.ts'
import { pagesOf } from '../../shared/pages.ts'
import { pages } from '../../shared/shapes.ts'
import { listCase, useCase } from '../../shared/use-case.ts'
import { uuidToFind } from '../../shared/uuid.ts'
import { deliveryNotFound } from './errors.ts'

/** Messages that wait to be delivered or were given up, by the time of their event and id. Of all accounts without `accountId`. */
export const listDeliveries = listCase({
  needs: ['deliveries.page'],
  mayTake: {
    ...pages,
    accountId: aString,
    /** Only those that were given up, or only those that were not; both without it. */
    dead: aBoolean,
  },
  run: ({ deliveries }, { accountId, dead, after: first, pageSize }) =>
    pagesOf({
      after: first,
      pageSize,
      read: (after, limit) => deliveries.page({ accountId, dead }, after, limit),
      cursorOf: ({ id, event }) => ({ createdAtMicros: event.createdAtMicros, id }),
      show: (delivery) => ok(delivery),
    }),
})

/**
 * Makes a message due now, as if no attempt had failed, also one that was given up.
 * @errors `delivery_not_found`, the same for an unknown or malformed id
 */
export const retryDelivery = useCase({
  needs: ['deliveries.retry', 'clock.nowMicros'],
  takes: { id: aString },
  run: async ({ deliveries, clock }, { id }) =>
    deliveries.retry(uuidToFind(id), clock.nowMicros()).andThen(foundOr(deliveryNotFound)),
})

/** How much waits to be delivered, and since when. */
export const getQueueState = useCase({
  needs: ['deliveries.state'],
  run: async ({ deliveries }) => deliveries.state(),
})
