import { ok, err } from 'neverthrow'
import { casesOf, contractOf } from '../contract/contract.ts'
import { expectErr, expectOk } from '../contract/expect.ts'
import { noonMicros } from '../shared/samples.ts'
import { same, sameIds } from '../contract/compare.ts'
import { deliveryJoinCases } from './delivery-joins.ts'
import { durableCase, besideCase, storageCase, type StorageCase, together } from '../stores/harness.ts'
import { neededStoresCase } from '../stores/needed-stores.ts'
import { outboxDistributionCases } from './outbox-distribution.ts'
import { ascending, erasesInTwos, isPagedInOrder, tiedPositions } from '../stores/paging.ts'
import { addQueue, listed, putEvents } from './queue-rows.ts'
import { addLink } from '../stores/rows.ts'

/** Cases of how events get into the outbox, and of looking at them. */
const outboxEventCases: readonly StorageCase[] = casesOf({
  'outbox-store/events-of-a-change-are-stored': storageCase({
    rule: 'The events of a change are in the outbox once the change is made, exactly as they were given.',
    needs: ['together'],
    async check(store, make) {
      const { secret } = await addLink(store, make)
      const events = [
        make.event(secret.accountId, { opens: 3, opensLeft: 0, expiresAtMicros: 2 ** 52 + 3 }),
        make.event(secret.accountId, { type: 'secret.locked', opens: 0, opensLeft: 1_000_000 }),
        make.event(secret.accountId, { type: 'secret.expired_unopened', createdAtMicros: 2 ** 52 + 1 }),
      ]
      expectOk(await store.links.update(secret.link.lookup, undefined, () => ok({ opens: 1, events })))
      same(expectOk(await store.outbox.page(undefined, 10)), events)
      expectOk(await store.links.update(secret.link.lookup, undefined, () => ok({ opens: 2 })))
      same(expectOk(await store.outbox.page(undefined, 10)), events, 'after a change without events')
    },
  }),
  'outbox-store/refused-update-adds-no-event': storageCase({
    rule: 'An update that answers an Err adds no event: neither an Err of the decision nor link_not_found.',
    async check(store, make) {
      const { secret } = await addLink(store, make)
      const events = [make.event(secret.accountId)]
      const { lookup } = secret.link
      const refused = await store.links.update(lookup, undefined, () => err({ opens: 1, events }))
      same(refused.isErr(), true, 'whether the update answered an Err')
      const unknown = await store.links.update(make.bytes(32), undefined, () => ok({ opens: 1, events }))
      expectErr(unknown, 'link_not_found')
      same(expectOk(await store.outbox.page(undefined, 10)), [])
    },
  }),
  'outbox-store/one-event-per-change': storageCase({
    rule: 'Of many parallel updates each one that succeeds adds its event exactly once, and the others add none.',
    needs: ['together'],
    async check(store, make) {
      const { secret } = await addLink(store, make)
      const events = Array.from({ length: 40 }, (_, at) =>
        make.event(secret.accountId, { createdAtMicros: noonMicros + at }),
      )
      const results = await Promise.all(
        events.map((event) =>
          store.links.update(secret.link.lookup, undefined, ({ state }) =>
            state.opens < 15 ? ok({ opens: state.opens + 1, events: [event] }) : err('used up' as const),
          ),
        ),
      )
      const expected = events.filter((_, at) => results[at]?.isOk())
      same(expected.length, 15, 'how many updates succeeded')
      same(expectOk(await store.outbox.page(undefined, 100)), expected)
    },
  }),
  'outbox-store/page-is-in-order': storageCase({
    rule: 'Events are listed by creation and id, ascending; pages neither repeat nor miss one, even among equal times.',
    needs: ['together'],
    async check(store, make) {
      const queue = await addQueue(store, make)
      const events = tiedPositions(make.uuid, noonMicros).map((position) =>
        make.event(queue.accountId, position),
      )
      for (const event of events) await putEvents(store, queue, [event])
      await isPagedInOrder(
        (after, limit) => store.outbox.page(after, limit),
        (event) => event,
        events.toSorted(ascending),
      )
    },
  }),
})

/** Cases of erasing events, and of what is found after reopening and by others. */
const outboxKeepingCases: readonly StorageCase[] = together({
  'outbox-store/erase-old-takes-the-old': storageCase({
    rule: 'eraseOld erases the events that were created at the given time or before, at most `limit` of them, and answers how many.',
    async check(store, make) {
      const queue = await addQueue(store, make)
      const at = (createdAtMicros: number) => make.event(queue.accountId, { createdAtMicros })
      const young = at(noonMicros + 1)
      await putEvents(store, queue, [young, at(noonMicros), at(noonMicros - 1), at(0)])
      await erasesInTwos(
        3,
        (limit) => store.outbox.eraseOld(noonMicros, limit),
        async () => expectOk(await store.outbox.page(undefined, 10)).length - 1,
      )
      sameIds(expectOk(await store.outbox.page(undefined, 10)), [young.id])
    },
  }),
  'outbox-store/writes-are-durable': durableCase({
    rule: 'Events that were added are found after reopening; those that were replaced or erased are not, and their deliveries are.',
    async act(store, make) {
      const queue = await addQueue(store, make)
      const old = make.event(queue.accountId, { createdAtMicros: 0 })
      const [event, replaced] = [make.event(queue.accountId), make.event(queue.accountId)]
      await putEvents(store, queue, [old, event, replaced])
      expectOk(await store.outbox.eraseOld(0, 1))
      const deliveries = [make.delivery(replaced)]
      expectOk(await store.outbox.distribute([{ eventId: replaced.id, deliveries }]))
      return (each) => [each.outbox.page(undefined, 10), listed(each)]
    },
  }),
  'outbox-store/events-are-seen-beside': besideCase({
    rule: 'An event that one storage adds or replaces is immediately there or gone for another storage on the same data.',
    async check(store, beside, make) {
      const queue = await addQueue(store, make)
      const [first, second] = [make.event(queue.accountId), make.event(queue.accountId)]
      await putEvents(store, queue, [first, second])
      same(expectOk(await beside.outbox.page(undefined, 10)), [first, second])
      const delivery = make.delivery(first)
      same(expectOk(await beside.outbox.distribute([{ eventId: first.id, deliveries: [delivery] }])), 1)
      same(expectOk(await store.outbox.page(undefined, 10)), [second])
      sameIds(await listed(store), [delivery.id])
    },
  }),
})

/** The contract of the outbox. */
export const outboxStoreContract: readonly StorageCase[] = contractOf([
  neededStoresCase('outbox-store', 'outbox', [
    'accounts',
    'keys',
    'folders',
    'secrets',
    'links',
    'deliveries',
  ]),
  ...outboxEventCases,
  ...outboxDistributionCases,
  ...deliveryJoinCases,
  ...outboxKeepingCases,
])
