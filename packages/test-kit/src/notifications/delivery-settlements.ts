import type { Delivery, Lease, Settlement } from '@sotto/core'
import { expectOk } from '../contract/expect.ts'
import { noonMicros, type SecretDelivery, type Samples } from '../shared/samples.ts'
import { same } from '../contract/compare.ts'
import { storageCase, type StorageCase, type StorageUnderTest, together } from '../stores/harness.ts'
import { addDeliveries, addQueue, fresh, leasedIds, lease, listed, mailAt, onlyLease } from './queue-rows.ts'

const laterMicros = noonMicros + 300_000_000

/** Cases of `settle` and `retry`. */
export const deliverySettlementCases: readonly StorageCase[] = together({
  'delivery-store/done-erases': storageCase({
    rule: 'A delivery that is done is erased, and no other one; settle answers Ok(true), and Ok(false) for one that is gone.',
    async check(store, make) {
      const { held, first, second } = await leaseTwo(store, make)
      same(expectOk(await store.deliveries.settle(held, first.id, { outcome: 'done' })), true)
      same(await listed(store), [fresh(second)])
      for (const settlement of [
        { outcome: 'done' },
        { outcome: 'pause', untilMicros: laterMicros },
        { outcome: 'retry', dueAtMicros: laterMicros, failure: 'timeout' },
        { outcome: 'dead', atMicros: laterMicros, failure: 'timeout' },
      ] as const) {
        for (const id of [first.id, make.uuid()]) {
          same(expectOk(await store.deliveries.settle(held, id, settlement)), false, settlement.outcome)
        }
      }
      same(await listed(store), [fresh(second)], 'after the second time')
    },
  }),
  'delivery-store/retry-counts-the-attempt': storageCase({
    rule: 'A delivery that failed is the same again at the given time, with one failed attempt more and the words about it.',
    async check(store, make) {
      const { held, first, second } = await leaseTwo(store, make)
      for (const [attempts, failure] of [
        [1, 'connection refused'],
        [2, 'status 503'],
      ] as const) {
        const dueAtMicros = laterMicros + attempts
        await settle(store, held, first, { outcome: 'retry', dueAtMicros, failure })
        const failed = { ...fresh(first), dueAtMicros, attempts, lastFailure: failure }
        same(await listed(store), [failed, fresh(second)])
      }
    },
  }),
  'delivery-store/dead-is-kept': storageCase({
    rule: 'A delivery that is given up is kept, with the time, one failed attempt more and the words about it.',
    async check(store, make) {
      const { held, first, second } = await leaseTwo(store, make)
      await settle(store, held, first, { outcome: 'dead', atMicros: laterMicros, failure: 'status 550' })
      const [dead, other] = await listed(store)
      const expected = { ...fresh(first), attempts: 1, deadAtMicros: laterMicros, lastFailure: 'status 550' }
      same(dead, expected, 'the dead one')
      same(other, fresh(second), 'the other one')
    },
  }),
  'delivery-store/pause-forgets-failures': storageCase({
    rule: 'A pause has no attempts and no failure: what joins it begins without them, and is due at its end.',
    async check(store, make) {
      const queue = await addQueue(store, make)
      const first = mailAt(make, queue, 0, { joins: true })
      await addDeliveries(store, queue, [first])
      const held = await onlyLease(store, make)
      await settle(store, held, first, { outcome: 'retry', dueAtMicros: noonMicros, failure: 'timeout' })
      await settle(store, held, first, { outcome: 'pause', untilMicros: laterMicros })
      const event = { ...first.event, id: make.uuid(), createdAtMicros: noonMicros + 1 }
      await addDeliveries(store, queue, [{ ...first, id: make.uuid(), event }])
      same(await listed(store), [{ ...fresh(first), event, dueAtMicros: laterMicros }])
    },
  }),
  'delivery-store/retry-makes-due-at-once': storageCase({
    rule: 'retry makes a dead or waiting delivery due at the given time, without failed attempts, and no other one.',
    async check(store, make) {
      const { held, first, second } = await leaseTwo(store, make)
      const again = { outcome: 'retry', dueAtMicros: laterMicros, failure: 'timeout' } as const
      for (const each of [first, second]) await settle(store, held, each, again)
      await settle(store, held, first, { outcome: 'dead', atMicros: noonMicros, failure: 'timeout' })
      expectOk(await store.deliveries.release(held))
      same(await lease(store, make), [], 'before')
      for (const [delivery, nowMicros] of [
        [first, noonMicros + 1],
        [second, noonMicros + 2],
      ] as const) {
        same(expectOk(await store.deliveries.retry(delivery.id, nowMicros)), true)
        const held = await onlyLease(store, make, { nowMicros })
        same(leasedIds([held]), [delivery.id])
        const retried = held.deliveries.map(attempted)
        same(retried, [{ dueAtMicros: nowMicros, attempts: 0, deadAtMicros: undefined }])
        expectOk(await store.deliveries.settle(held, delivery.id, { outcome: 'done' }))
        expectOk(await store.deliveries.release(held))
      }
    },
  }),
  'delivery-store/retry-of-none-is-false': storageCase({
    rule: 'retry of an unknown id answers Ok(false) and changes nothing.',
    async check(store, make) {
      const queue = await addQueue(store, make)
      const added = mailAt(make, queue, 0)
      await addDeliveries(store, queue, [added])
      same(expectOk(await store.deliveries.retry(make.uuid(), laterMicros)), false)
      same(await listed(store), [fresh(added)])
    },
  }),
})

function attempted({ dueAtMicros, attempts, deadAtMicros }: Delivery) {
  return { dueAtMicros, attempts, deadAtMicros }
}

/** Adds two mails about different secrets, and leases them. */
async function leaseTwo(
  store: StorageUnderTest,
  make: Samples,
): Promise<{ readonly held: Lease; readonly first: SecretDelivery; readonly second: SecretDelivery }> {
  const queue = await addQueue(store, make)
  const [first, second] = [mailAt(make, queue, 0), mailAt(make, queue, 1)]
  await addDeliveries(store, queue, [first, second])
  return { held: await onlyLease(store, make), first, second }
}

async function settle(
  { deliveries }: StorageUnderTest,
  held: Lease,
  { id }: SecretDelivery,
  settlement: Settlement,
): Promise<void> {
  same(expectOk(await deliveries.settle(held, id, settlement)), true, settlement.outcome)
}
