import type { Settlement } from '@sotto/core'
import type { StorageHarness } from '@sotto/test-kit'
import { brokenStore, type Broken } from './broken.ts'
import { withRows } from './delivery-rows.ts'

const deliveries = brokenStore('deliveries')

/** Flaws of the order in which deliveries are leased, and of `nextDue`. */
export const brokenDeliveryOrders: readonly Broken<StorageHarness>[] = [
  deliveries(
    'leases all that is due',
    [
      'delivery-store/one-secret-is-reported-in-order',
      'delivery-store/waits-for-what-fails',
      'delivery-store/waits-for-the-end-of-a-pause',
    ],
    (store, data) => ({
      lease: (options) => withRows(data, withSecret(String), () => store.lease(options)),
    }),
  ),
  deliveries(
    'leases what is due the longest of a secret',
    ['delivery-store/one-secret-is-reported-in-order', 'delivery-store/waits-for-what-fails'],
    (store, data) => ({
      lease: (options) =>
        withRows(
          data,
          (row) => ({
            ...row,
            delivery: {
              ...row.delivery,
              event: { ...row.delivery.event, createdAtMicros: row.delivery.dueAtMicros },
            },
          }),
          () => store.lease(options),
        ),
    }),
  ),
  deliveries(
    'holds up a whole target',
    [
      'delivery-store/secrets-and-targets-do-not-wait-for-each-other',
      'delivery-store/lease-gives-what-is-due',
    ],
    (store, data) => ({
      lease: (options) =>
        withRows(
          data,
          withSecret(() => 'one'),
          () => store.lease(options),
        ),
    }),
  ),
  deliveries('waits for the dead', ['delivery-store/dead-holds-nothing-up'], (store, data) => ({
    lease: (options) => withRows(data, revived(Number.MAX_SAFE_INTEGER), () => store.lease(options)),
  })),
  deliveries('leases the dead', ['delivery-store/dead-holds-nothing-up'], (store, data) => ({
    lease: (options) => withRows(data, revived(0), () => store.lease(options)),
  })),
  settling('ends a pause at once', ['delivery-store/waits-for-the-end-of-a-pause'], (settlement) =>
    settlement.outcome === 'pause' ? { ...settlement, untilMicros: 0 } : settlement,
  ),
  settling('makes no pauses', ['delivery-store/waits-for-the-end-of-a-pause'], (settlement) =>
    settlement.outcome === 'pause' ? { outcome: 'done' } : settlement,
  ),
  deliveries(
    'waits for any delivery',
    ['delivery-store/next-due-is-when-a-target-can-be-leased'],
    (store, data) => ({
      nextDue: (kind) => withRows(data, withSecret(String), () => store.nextDue(kind)),
    }),
  ),
  deliveries(
    'waits for no lease',
    ['delivery-store/next-due-is-when-a-target-can-be-leased'],
    (store, data) => ({
      nextDue(kind) {
        const leases = [...data.leases]
        data.leases.clear()
        const answer = store.nextDue(kind)
        for (const [key, lease] of leases) data.leases.set(key, lease)
        return answer
      },
    }),
  ),
  deliveries('waits for mails only', ['delivery-store/next-due-is-when-a-target-can-be-leased'], (store) => ({
    nextDue: () => store.nextDue('mail'),
  })),
  deliveries(
    'waits for the dead when nothing else is there',
    ['delivery-store/next-due-is-when-a-target-can-be-leased'],
    (store, data) => ({
      nextDue: (kind) => withRows(data, revived(Number.MAX_SAFE_INTEGER), () => store.nextDue(kind)),
    }),
  ),
]

type Row = Parameters<Parameters<typeof withRows>[1]>[0]

function withSecret(secretOf: (at: number) => string) {
  return (row: Row, at: number): Row => ({
    ...row,
    delivery: { ...row.delivery, event: { ...row.delivery.event, secretId: secretOf(at) } },
  })
}

/** Makes dead deliveries wait that are due then. */
function revived(dueAtMicros: number) {
  return (row: Row): Row =>
    row.delivery.deadAtMicros === undefined
      ? row
      : { ...row, delivery: { ...row.delivery, deadAtMicros: undefined, dueAtMicros } }
}

/** A storage that records something else than it is told. */
export function settling(
  flaw: string,
  breaks: readonly string[],
  recorded: (settlement: Settlement) => Settlement,
): Broken<StorageHarness> {
  return deliveries(flaw, breaks, (store) => ({
    settle: (lease, id, settlement) => store.settle(lease, id, recorded(settlement)),
  }))
}
