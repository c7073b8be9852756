import type { Settlement } from '@sotto/core'
import { expectOk } from '../contract/expect.ts'
import { noonMicros, type Samples, type SecretDelivery } from '../shared/samples.ts'
import { same } from '../contract/compare.ts'
import { storageCase, type StorageCase, type StorageUnderTest, together } from '../stores/harness.ts'
import {
  addDeliveries,
  addQueue,
  lease,
  leasedIds,
  leaseMicros,
  mailAt,
  onlyLease,
  type Queue,
} from './queue-rows.ts'

const laterMicros = noonMicros + 300_000_000

/** Cases of what waits for what, and of `nextDue`. */
export const deliveryOrderCases: readonly StorageCase[] = together({
  'delivery-store/one-secret-is-reported-in-order': storageCase({
    rule: 'Of the deliveries to one target about one secret only the first, by time and id of the event, is leased. The next one is due once that one is done.',
    async check(store, make) {
      const queue = await addQueue(store, make)
      const [first, second, third] = threeOf(make, queue, [0, 1, 1])
      // The latest is due the longest, and was added first.
      const added = [{ ...third, dueAtMicros: 1 }, { ...second, dueAtMicros: 2 }, first]
      await addDeliveries(store, queue, added)
      for (const { id } of [first, second, third]) {
        same(await settleOnly(store, make, { outcome: 'done' }), [id])
      }
      same(await lease(store, make), [])
    },
  }),
  'delivery-store/waits-for-what-fails': storageCase({
    rule: 'While a delivery waits to be tried again, those after it about its secret are not leased, whether it is due or not.',
    async check(store, make) {
      const queue = await addQueue(store, make)
      const [first, second] = threeOf(make, queue, [0, 1, 2])
      await addDeliveries(store, queue, [first, second])
      const retry = { outcome: 'retry', dueAtMicros: laterMicros, failure: 'timeout' } as const
      same(await settleOnly(store, make, retry), [first.id])
      same(await lease(store, make, { nowMicros: laterMicros - 1 }), [], 'before the next attempt')
      const nowMicros = laterMicros
      same(await settleOnly(store, make, { outcome: 'done' }, nowMicros), [first.id], 'the next attempt')
      same(await settleOnly(store, make, { outcome: 'done' }, nowMicros), [second.id])
    },
  }),
  'delivery-store/secrets-and-targets-do-not-wait-for-each-other': storageCase({
    rule: 'A delivery that fails holds up neither those about other secrets nor those about its secret to other targets.',
    async check(store, make) {
      const queue = await addQueue(store, make)
      const [first] = threeOf(make, queue, [0, 1, 2])
      await addDeliveries(store, queue, [first])
      await settleOnly(store, make, { outcome: 'retry', dueAtMicros: laterMicros, failure: 'timeout' })
      const [, sameSecret] = threeOf(make, queue, [0, 1, 2], first.event.secretId)
      const target = { kind: 'webhook', accountId: queue.accountId, webhookId: make.uuid() } as const
      const other = mailAt(make, queue, 1)
      const elsewhere = { ...sameSecret, id: make.uuid(), target }
      await addDeliveries(store, queue, [sameSecret, other, elsewhere])
      same(leasedIds(await lease(store, make)), [other.id], 'mails')
      same(leasedIds(await lease(store, make, { kind: 'webhook' })), [elsewhere.id], 'webhooks')
    },
  }),
  'delivery-store/dead-holds-nothing-up': storageCase({
    rule: 'A delivery that was given up is not leased any more and holds up none after it.',
    async check(store, make) {
      const queue = await addQueue(store, make)
      const [first, second] = threeOf(make, queue, [0, 1, 2])
      await addDeliveries(store, queue, [first, second])
      const dead = { outcome: 'dead', atMicros: noonMicros, failure: 'status 550' } as const
      same(await settleOnly(store, make, dead), [first.id])
      same(await settleOnly(store, make, { outcome: 'done' }), [second.id])
      same(await lease(store, make, { nowMicros: laterMicros }), [])
    },
  }),
  'delivery-store/waits-for-the-end-of-a-pause': storageCase({
    rule: 'A pause is leased at its end, with count 0, and not before; until it is done those after it about its secret are not leased.',
    async check(store, make) {
      const queue = await addQueue(store, make)
      const [first, second] = threeOf(make, queue, [0, 1, 2])
      await addDeliveries(store, queue, [first])
      same(await settleOnly(store, make, { outcome: 'pause', untilMicros: laterMicros }), [first.id])
      await addDeliveries(store, queue, [second])
      same(await lease(store, make, { nowMicros: laterMicros - 1 }), [], 'before its end')
      const [held] = await lease(store, make, { nowMicros: laterMicros })
      const [paused, ...others] = held?.deliveries ?? []
      const { id, count, attempts, lastFailure } = paused ?? {}
      const none = { id: first.id, count: 0, attempts: 0, lastFailure: undefined }
      same({ id, count, attempts, lastFailure }, none, 'the pause')
      same(others, [], 'beside the pause')
    },
  }),
  'delivery-store/next-due-is-when-a-target-can-be-leased': storageCase({
    rule: 'nextDue is the earliest time at which a target of the kind can be leased. Then a delivery that waits for no other one is due, and no lease is held.',
    async check(store, make) {
      const queue = await addQueue(store, make)
      const next = async (kind: 'mail' | 'webhook' = 'mail') => expectOk(await store.deliveries.nextDue(kind))
      const [first, second] = threeOf(make, queue, [0, 1, 2])
      await addDeliveries(store, queue, [
        { ...first, dueAtMicros: laterMicros },
        { ...second, dueAtMicros: 1 },
      ])
      same(await next(), laterMicros, 'while the second one waits for the first')
      same(await next('webhook'), undefined, 'of the other kind')
      const other = mailAt(make, queue, 0, { dueAtMicros: noonMicros - 5 })
      await addDeliveries(store, queue, [other])
      same(await next(), noonMicros - 5, 'in the past, with one that is due')
      const held = await onlyLease(store, make)
      same(await next(), noonMicros + leaseMicros, 'while it is leased')
      const dead = { outcome: 'dead', atMicros: noonMicros, failure: 'timeout' } as const
      expectOk(await store.deliveries.settle(held, other.id, dead))
      same(await next(), laterMicros, 'the lease ends before the next one is due')
      expectOk(await store.deliveries.release(held))
      same(await settleOnly(store, make, { outcome: 'done' }, laterMicros), [first.id])
      same(await next(), 1, 'once the first is done')
      same(await settleOnly(store, make, { outcome: 'done' }), [second.id])
      same(await next(), undefined, 'with a dead one only')
    },
  }),
})

/** Three mails about one secret, whose events are at the given times and in the order of their ids. */
function threeOf(
  make: Samples,
  queue: Queue,
  [first, second, third]: readonly [number, number, number],
  secretId = make.uuid(),
): readonly [SecretDelivery, SecretDelivery, SecretDelivery] {
  const about = (afterMicros: number): SecretDelivery => {
    const delivery = mailAt(make, queue, afterMicros)
    return { ...delivery, event: { ...delivery.event, secretId } }
  }
  return [about(first), about(second), about(third)]
}

/** Leases the only target, settles all of it and releases it. The ids of what was leased. */
async function settleOnly(
  store: StorageUnderTest,
  make: Samples,
  settlement: Settlement,
  nowMicros = noonMicros,
): Promise<readonly string[]> {
  const held = await onlyLease(store, make, { nowMicros })
  for (const { id } of held.deliveries) {
    same(expectOk(await store.deliveries.settle(held, id, settlement)), true, settlement.outcome)
  }
  expectOk(await store.deliveries.release(held))
  return leasedIds([held])
}
