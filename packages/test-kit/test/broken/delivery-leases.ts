import type { DeliveryStore, Lease } from '@sotto/core'
import type { MemoryData, StorageHarness } from '@sotto/test-kit'
import { okAsync } from 'neverthrow'
import { brokenStorage, brokenStore, pause, slowly, type Broken } from './broken.ts'
import { changeDeliveries, keyOf, withRows } from './delivery-rows.ts'

const deliveries = brokenStore('deliveries')

/** Flaws of leasing, releasing, and of what a lease is good for. */
export const brokenLeases: readonly Broken<StorageHarness>[] = [
  deliveries('leases what is due in a microsecond', ['delivery-store/lease-gives-what-is-due'], (store) => ({
    lease: (options) => store.lease({ ...options, nowMicros: options.nowMicros + 1 }),
  })),
  deliveries('makes its own ids of leases', ['delivery-store/lease-gives-what-is-due'], (store) => ({
    lease: (options) => store.lease({ ...options, ids: options.ids.map((id) => `${id}!`) }),
  })),
  leasing('gives the latest event first', ['delivery-store/lease-gives-what-is-due'], (leases) =>
    leases.map((each) => ({ ...each, deliveries: each.deliveries.toReversed() })),
  ),
  deliveries('leases mails only', ['delivery-store/lease-is-of-one-kind'], (store) => ({
    lease: (options) => store.lease({ ...options, kind: 'mail' }),
  })),
  deliveries('takes all webhooks for one target', ['delivery-store/lease-is-of-one-kind'], (store, data) => ({
    lease(options) {
      changeDeliveries(data, ({ target }) => ({
        target: target.kind === 'mail' ? target : { ...target, webhookId: 'one' },
      }))
      return store.lease(options)
    },
  })),
  deliveries('ignores the bound of a target', ['delivery-store/lease-has-bounds'], (store) => ({
    lease: (options) => store.lease({ ...options, perTarget: 1_000 }),
  })),
  deliveries('leases more targets than there are ids', ['delivery-store/lease-has-bounds'], (store) => ({
    lease: (options) => store.lease({ ...options, ids: [...options.ids, 'more', 'and more'] }),
  })),
  deliveries(
    'leases the earliest event first',
    ['delivery-store/longest-due-comes-first'],
    (store, data) => ({
      lease: (options) =>
        withRows(
          data,
          (row) => ({
            ...row,
            delivery: { ...row.delivery, dueAtMicros: row.delivery.event.createdAtMicros },
          }),
          () => store.lease({ ...options, nowMicros: options.nowMicros + 1_000 }),
        ),
    }),
  ),
  deliveries(
    'leases what is leased',
    [
      'delivery-store/lease-keeps-others-away',
      'delivery-store/one-of-parallel-callers-leases',
      'delivery-store/one-of-two-storages-leases',
      'delivery-store/lost-lease-changes-nothing',
    ],
    (store, data) => ({
      lease(options) {
        data.leases.clear()
        return store.lease(options)
      },
    }),
  ),
  deliveries('ends a lease too early', ['delivery-store/lease-keeps-others-away'], (store) => ({
    lease: (options) => store.lease({ ...options, untilMicros: options.untilMicros - 1 }),
  })),
  deliveries('ends a lease too late', ['delivery-store/lease-keeps-others-away'], (store) => ({
    lease: (options) => store.lease({ ...options, untilMicros: options.untilMicros + 1 }),
  })),
  deliveries('believes a clock that ran ahead', ['delivery-store/wrong-clock-delays-nothing'], (store) => ({
    lease: (options) => store.lease({ ...options, latestMicros: Infinity }),
  })),
  deliveries(
    'takes the latest time for a wrong one',
    ['delivery-store/wrong-clock-delays-nothing'],
    (store) => ({
      lease: (options) => store.lease({ ...options, latestMicros: options.latestMicros - 1 }),
    }),
  ),
  deliveries('keeps what is released until the end', ['delivery-store/release-ends-a-lease'], () => ({
    release: () => okAsync(true),
  })),
  deliveries('answers false when it releases', ['delivery-store/release-ends-a-lease'], (store) => ({
    release: (lease) => store.release(lease).map(() => false),
  })),
  deliveries(
    'looks who has leased, then leases',
    ['delivery-store/one-of-parallel-callers-leases', 'delivery-store/one-of-two-storages-leases'],
    (store, data) => ({
      lease: (options) =>
        slowly(async () => {
          const before = [...data.leases]
          await pause()
          data.leases.clear()
          for (const [key, lease] of before) data.leases.set(key, lease)
          return store.lease(options)
        }),
    }),
  ),
  brokenStorage(
    'keeps its leases in the process',
    ['delivery-store/one-of-two-storages-leases', 'delivery-store/writes-are-seen-beside'],
    ({ deliveries: store, data }) => ({ deliveries: withOwnLeases(store, data) }),
  ),
  deliveries(
    'asks no holder for the lease',
    ['delivery-store/lost-lease-changes-nothing'],
    (store, data) => ({
      settle: (lease, ...how) =>
        store.settle({ ...lease, id: data.leases.get(keyOf(lease.target))?.id ?? '' }, ...how),
    }),
  ),
  deliveries(
    'releases the lease of another one',
    ['delivery-store/lost-lease-changes-nothing'],
    (store, data) => ({
      release: ({ target }) => store.release({ target, id: data.leases.get(keyOf(target))?.id ?? '' }),
    }),
  ),
  deliveries(
    'forgets who had a lease that was released',
    ['delivery-store/lost-lease-changes-nothing'],
    (store, data) => ({
      settle: (lease, ...how) => {
        const held = data.leases.get(keyOf(lease.target))
        return store.settle({ ...lease, id: held && held.untilMicros < 0 ? held.id : lease.id }, ...how)
      },
    }),
  ),
  deliveries(
    'forgets a lease that has ended',
    ['delivery-store/ended-lease-settles-while-nobody-else-has-leased'],
    (store, data) => ({
      lease: (options) =>
        store.lease(options).map((leases) => {
          if (options.untilMicros <= options.nowMicros) data.leases.clear()
          return leases
        }),
    }),
  ),
]

/** A storage that leases something else than it should. */
function leasing(
  flaw: string,
  breaks: readonly string[],
  leased: (leases: readonly Lease[]) => readonly Lease[],
): Broken<StorageHarness> {
  return deliveries(flaw, breaks, (store) => ({ lease: (options) => store.lease(options).map(leased) }))
}

/** A store that does not see the leases of others. */
function withOwnLeases(store: DeliveryStore, data: MemoryData): DeliveryStore {
  const own = new Map<string, { readonly id: string; readonly untilMicros: number }>()
  return {
    ...store,
    lease(options) {
      data.leases.clear()
      for (const [key, lease] of own) data.leases.set(key, lease)
      return store.lease(options).map((leases) => {
        for (const [key, lease] of data.leases) own.set(key, lease)
        return leases
      })
    },
  }
}
