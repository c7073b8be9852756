import { expectOk } from '../contract/expect.ts'
import { noonMicros } from '../shared/samples.ts'
import { sameIds } from '../contract/compare.ts'
import { storageCase, together, type StorageCase } from '../stores/harness.ts'
import { neededStoresCase } from '../stores/needed-stores.ts'
import { erasesInTwos } from '../stores/paging.ts'
import { deliveryLeaseCases } from './delivery-leases.ts'
import { addDeliveries, addQueue, listed, mailAt, onlyLease } from './queue-rows.ts'

/** Cases of erasing what many were given up of. */
const deliveryErasureCases: readonly StorageCase[] = together({
  'delivery-store/erase-dead-takes-the-old': storageCase({
    rule: 'eraseDead erases the deliveries that were given up at the given time or before, at most `limit` of them, and no other ones.',
    async check(store, make) {
      const queue = await addQueue(store, make)
      const added = [0, 1, 2, 3, 4].map((at) => mailAt(make, queue, at))
      await addDeliveries(store, queue, added)
      const held = await onlyLease(store, make)
      const times = [noonMicros - 2, noonMicros + 1, noonMicros - 1, noonMicros]
      for (const [at, atMicros] of times.entries()) {
        const settlement = { outcome: 'dead', atMicros, failure: 'timeout' } as const
        expectOk(await store.deliveries.settle(held, added[at]?.id ?? '', settlement))
      }
      await erasesInTwos(
        3,
        (limit) => store.deliveries.eraseDead(noonMicros, limit),
        async () => (await listed(store)).length - 2,
      )
      sameIds(await listed(store), [added[1]?.id ?? '', added[4]?.id ?? ''])
    },
  }),
})

/**
 * What histories seldom show of the delivery store, or not at all: several targets at once, many dead deliveries, wrong clocks, and callers at
 * the same time.
 */
export const deliveryCases: readonly StorageCase[] = [
  neededStoresCase('delivery-store', 'deliveries', [
    ...(['accounts', 'keys', 'folders', 'secrets', 'links', 'outbox'] as const),
  ]),
  ...deliveryLeaseCases,
  ...deliveryErasureCases,
]
