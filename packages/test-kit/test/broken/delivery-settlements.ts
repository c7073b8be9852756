import type { Delivery } from '@sotto/core'
import type { StorageHarness } from '@sotto/test-kit'
import { okAsync } from 'neverthrow'
import { brokenStore, type Broken } from './broken.ts'
import { settling } from './delivery-order.ts'
import { changeDeliveries } from './delivery-rows.ts'

const deliveries = brokenStore('deliveries')

/** Flaws of `settle` and `retry`. */
export const brokenSettlements: readonly Broken<StorageHarness>[] = [
  deliveries('erases nothing', ['delivery-store/done-erases'], (store) => ({
    settle: (lease, id, settlement) =>
      settlement.outcome === 'done' ? okAsync(true) : store.settle(lease, id, settlement),
  })),
  deliveries('erases all of the lease', ['delivery-store/done-erases'], (store, data) => ({
    settle: (...how) => store.settle(...how).map((done) => (data.deliveries.clear(), done)),
  })),
  deliveries('settles what is gone', ['delivery-store/done-erases'], (store) => ({
    settle: (...how) => store.settle(...how).map(() => true),
  })),
  deliveries('tries again under another id', ['delivery-store/retry-counts-the-attempt'], (store, data) => ({
    settle: (lease, id, settlement) =>
      store.settle(lease, id, settlement).map((done) => {
        changeDeliveries(data, ({ event, attempts }) => ({
          event: { ...event, id: `${event.id}${String(attempts)}` },
        }))
        return done
      }),
  })),
  settling('tries again at once', ['delivery-store/retry-counts-the-attempt'], (settlement) =>
    settlement.outcome === 'retry' ? { ...settlement, dueAtMicros: 0 } : settlement,
  ),
  settled('counts no attempts', ['delivery-store/retry-counts-the-attempt'], () => ({ attempts: 0 })),
  settled(
    'does not say why',
    ['delivery-store/retry-counts-the-attempt', 'delivery-store/dead-is-kept'],
    () => ({
      lastFailure: undefined,
    }),
  ),
  settling('erases the dead', ['delivery-store/dead-is-kept'], (settlement) =>
    settlement.outcome === 'dead' ? { outcome: 'done' } : settlement,
  ),
  settled('does not say when', ['delivery-store/dead-is-kept'], ({ deadAtMicros }) => ({
    deadAtMicros: deadAtMicros && 0,
  })),
  settled(
    'counts the failures before a pause',
    ['delivery-store/pause-forgets-failures'],
    ({ count, attempts }) => ({
      attempts: count === 0 ? 1 : attempts,
    }),
  ),
  deliveries('retries the dead only', ['delivery-store/retry-makes-due-at-once'], (store, data) => ({
    retry: (id, nowMicros) =>
      data.deliveries.get(id)?.delivery.deadAtMicros === undefined
        ? okAsync(true)
        : store.retry(id, nowMicros),
  })),
  deliveries('retries as often as is left', ['delivery-store/retry-makes-due-at-once'], (store, data) => ({
    retry(id, nowMicros) {
      const attempts = data.deliveries.get(id)?.delivery.attempts ?? 0
      return store.retry(id, nowMicros).map((done) => {
        changeDeliveries(data, (delivery) => (delivery.id === id ? { attempts } : {}))
        return done
      })
    },
  })),
  deliveries('retries all', ['delivery-store/retry-makes-due-at-once'], (store, data) => ({
    retry: (id, nowMicros) =>
      store.retry(id, nowMicros).map((done) => {
        changeDeliveries(data, () => ({ dueAtMicros: nowMicros }))
        return done
      }),
  })),
  deliveries('retries what it lacks', ['delivery-store/retry-of-none-is-false'], (store) => ({
    retry: (id, nowMicros) => store.retry(id, nowMicros).map(() => true),
  })),
]

/** A storage that changes its deliveries after each settlement. */
function settled(
  flaw: string,
  breaks: readonly string[],
  change: (delivery: Delivery) => Partial<Delivery>,
): Broken<StorageHarness> {
  return deliveries(flaw, breaks, (store, data) => ({
    settle: (...how) => store.settle(...how).map((done) => (changeDeliveries(data, change), done)),
  }))
}
