import type { Delivery, NewDelivery, Settlement } from '@sotto/core'
import { casesOf, contractOf } from '../contract/contract.ts'
import { expectOk } from '../contract/expect.ts'
import { noonMicros, type Samples } from '../shared/samples.ts'
import { same, sameIds } from '../contract/compare.ts'
import { deliveryLeaseCases } from './delivery-leases.ts'
import { deliveryOrderCases } from './delivery-order.ts'
import { deliverySettlementCases } from './delivery-settlements.ts'
import {
  besideCase,
  reopenCase,
  storageCase,
  type StorageCase,
  type StorageUnderTest,
  together,
} from '../stores/harness.ts'
import { neededStoresCase } from '../stores/needed-stores.ts'
import { erasesInTwos, isPagedInOrder, shuffled } from '../stores/paging.ts'
import {
  addDeliveries,
  addQueue,
  fresh,
  lease,
  leaseMicros,
  listed,
  mailAt,
  onlyLease,
  putEvents,
  type Queue,
} from './queue-rows.ts'

/** Cases of looking at the queue. */
const deliveryListCases: readonly StorageCase[] = casesOf({
  'delivery-store/empty-queue': storageCase({
    rule: 'In an empty queue nothing can be leased, waited for, retried or erased.',
    async check({ deliveries }, make) {
      same(await lease({ deliveries }, make), [])
      for (const kind of ['mail', 'webhook'] as const)
        same(expectOk(await deliveries.nextDue(kind)), undefined)
      same(expectOk(await deliveries.page({}, undefined, 10)), [])
      same(expectOk(await deliveries.retry(make.uuid(), noonMicros)), false)
      same(expectOk(await deliveries.eraseDead(Number.MAX_SAFE_INTEGER, 10)), 0)
      const state = { events: 0, waiting: 0, dead: 0, oldestMicros: undefined }
      same(expectOk(await deliveries.state()), state)
    },
  }),
  'delivery-store/page-is-in-order': storageCase({
    rule: 'Deliveries are listed by event time and their own id, ascending; pages neither repeat nor miss one, even among equal times.',
    needs: ['together'],
    async check(store, make) {
      const queue = await addQueue(store, make)
      const sorted = [0, 0, 0, 1, 2, 2, 1_000].map((afterMicros) => mailAt(make, queue, afterMicros))
      // Events in another order than the deliveries.
      const events = sorted.map(({ event }) => event.id).toReversed()
      const added = sorted.map((each, at) => ({ ...each, event: { ...each.event, id: events[at] ?? '' } }))
      await addDeliveries(store, queue, shuffled(added))
      await isPagedInOrder(
        (after, limit) => store.deliveries.page({}, after, limit),
        ({ id, event: { createdAtMicros } }) => ({ createdAtMicros, id }),
        added.map(fresh),
      )
    },
  }),
  'delivery-store/page-passes-the-filter': storageCase({
    rule: 'A list shows the deliveries of the account, if one is named, that were given up or not, if that is asked, and no pauses.',
    needs: ['together'],
    async check(store, make) {
      const [mine, theirs] = [await addQueue(store, make), await addQueue(store, make)]
      const [waiting, dead] = await addOneOfEach(store, make, mine)
      const other = mailAt(make, theirs, 9)
      await addDeliveries(store, theirs, [other])
      const { accountId } = mine
      for (const [filter, expected] of [
        [{}, [waiting, dead, other]],
        [{ dead: true }, [dead]],
        [{ dead: false }, [waiting, other]],
        [{ accountId }, [waiting, dead]],
        [{ accountId, dead: true }, [dead]],
        [{ accountId, dead: false }, [waiting]],
        [{ accountId: make.uuid() }, []],
      ] as const) {
        const page = expectOk(await store.deliveries.page(filter, undefined, 10))
        sameIds(
          page,
          expected.map(({ id }) => id),
          JSON.stringify(Object.keys(filter)),
        )
      }
    },
  }),
  'delivery-store/state-counts': storageCase({
    rule: 'state counts events, waiting and dead deliveries, without pauses; the oldest is the earliest event of those that are not dead.',
    needs: ['together'],
    async check(store, make) {
      const queue = await addQueue(store, make)
      const state = async () => expectOk(await store.deliveries.state())
      const [first] = await addOneOfEach(store, make, queue)
      const counted = { events: 0, waiting: 1, dead: 1, oldestMicros: first.event.createdAtMicros }
      same(await state(), counted, 'with deliveries')
      const createdAtMicros = noonMicros - 20
      await putEvents(store, queue, [
        make.event(queue.accountId),
        make.event(queue.accountId, { createdAtMicros }),
      ])
      same(await state(), { ...counted, events: 2, oldestMicros: createdAtMicros }, 'with events')
      expectOk(await store.outbox.eraseOld(noonMicros, 10))
      const held = await onlyLease(store, make)
      expectOk(await store.deliveries.settle(held, first.id, { outcome: 'done' }))
      same(await state(), { events: 0, waiting: 0, dead: 1, oldestMicros: undefined }, 'when none waits')
    },
  }),
})

/** Cases of erasing. */
const deliveryErasureCases: readonly StorageCase[] = together({
  'delivery-store/erase-target-takes-its-deliveries': storageCase({
    rule: 'eraseTarget erases all deliveries to the target, dead ones and pauses too, and none to another.',
    async check(store, make) {
      const [mine, theirs] = [await addQueue(store, make), await addQueue(store, make)]
      await addOneOfEach(store, make, mine)
      const webhook = () => ({ kind: 'webhook', accountId: mine.accountId, webhookId: make.uuid() }) as const
      const [erased, kept] = [webhook(), webhook()]
      const others = [mailAt(make, mine, 1, { target: kept }), mailAt(make, theirs, 2)]
      const early = mailAt(make, mine, 0, { target: erased, dueAtMicros: noonMicros - 9 })
      await addDeliveries(store, mine, [early, ...others])
      for (const target of [mine.mail, erased]) expectOk(await store.deliveries.eraseTarget(target))
      same(await listed(store), others.map(fresh))
      same(expectOk(await store.deliveries.nextDue('webhook')), noonMicros, 'when the other webhook is due')
      const leases = await lease(store, make, { nowMicros: noonMicros + leaseMicros })
      sameIds(
        leases.flatMap(({ deliveries }) => deliveries),
        others.slice(1).map(({ id }) => id),
        'what can be leased',
      )
    },
  }),
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

/** Cases of what is found after reopening, and by others. */
const deliveryKeepingCases: readonly StorageCase[] = together({
  'delivery-store/writes-are-durable': reopenCase({
    rule: 'Deliveries, what became of them, and leases are found after reopening.',
    async before(store, make) {
      const queue = await addQueue(store, make)
      await addOneOfEach(store, make, queue)
      const held = await onlyLease(store, make)
      return { make, held, rows: await listed(store), state: expectOk(await store.deliveries.state()) }
    },
    async after(store, { make, held, rows, state }) {
      same(await listed(store), rows)
      same(expectOk(await store.deliveries.state()), state)
      same(await lease(store, make), [], 'whether the target is leased')
      same(expectOk(await store.deliveries.release(held)), true, 'whether the lease is known')
      sameIds((await onlyLease(store, make)).deliveries, [held.deliveries[0]?.id ?? ''])
    },
  }),
  'delivery-store/writes-are-seen-beside': besideCase({
    rule: 'What one storage leases, settles or retries is immediately so for another storage on the same data.',
    async check(store, beside, make) {
      const queue = await addQueue(store, make)
      const added = mailAt(make, queue, 0)
      await addDeliveries(store, queue, [added])
      const held = await onlyLease(store, make)
      same(await lease(beside, make), [], 'while it is leased')
      const retry = { outcome: 'retry', dueAtMicros: noonMicros + 9, failure: 'timeout' } as const
      same(expectOk(await store.deliveries.settle(held, added.id, retry)), true)
      same(await listed(beside), await listed(store))
      expectOk(await store.deliveries.release(held))
      same(await lease(beside, make), [], 'before it is due')
      expectOk(await store.deliveries.retry(added.id, noonMicros))
      sameIds((await onlyLease(beside, make)).deliveries, [added.id])
    },
  }),
})

/** The contract of the delivery store. */
export const deliveryStoreContract: readonly StorageCase[] = contractOf([
  neededStoresCase('delivery-store', 'deliveries', [
    'accounts',
    'keys',
    'folders',
    'secrets',
    'links',
    'outbox',
  ]),
  ...deliveryListCases,
  ...deliveryLeaseCases,
  ...deliveryOrderCases,
  ...deliverySettlementCases,
  ...deliveryErasureCases,
  ...deliveryKeepingCases,
])

/** Adds mails about three secrets: one that waits, a dead one, and a pause. The first two, in the order of a list. */
async function addOneOfEach(
  store: StorageUnderTest,
  make: Samples,
  queue: Queue,
): Promise<readonly [NewDelivery, NewDelivery]> {
  const [paused, dead, waiting] = [
    mailAt(make, queue, -9, { joins: true }),
    mailAt(make, queue, 1),
    mailAt(make, queue, 0),
  ]
  await addDeliveries(store, queue, [paused, dead])
  const held = await onlyLease(store, make)
  const settle = async ({ id }: Pick<Delivery, 'id'>, settlement: Settlement) =>
    same(expectOk(await store.deliveries.settle(held, id, settlement)), true, settlement.outcome)
  await settle(paused, { outcome: 'pause', untilMicros: noonMicros + leaseMicros })
  await settle(dead, { outcome: 'dead', atMicros: noonMicros, failure: 'status 550' })
  expectOk(await store.deliveries.release(held))
  await addDeliveries(store, queue, [waiting])
  return [waiting, dead]
}
