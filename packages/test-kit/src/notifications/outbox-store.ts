import { ok, err } from 'neverthrow'
import { casesOf } from '../contract/contract.ts'
import { expectErr, expectOk } from '../contract/expect.ts'
import { noonMicros } from '../shared/samples.ts'
import { same } from '../contract/compare.ts'
import { storageCase, type StorageCase } from '../stores/harness.ts'
import { neededStoresCase } from '../stores/needed-stores.ts'
import { deliveryJoinCases } from './delivery-joins.ts'
import { outboxDistributionCases } from './outbox-distribution.ts'
import { addLink } from '../stores/rows.ts'

/** Cases of how events get into the outbox. */
const outboxEventCases: readonly StorageCase[] = casesOf({
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
})

/** What histories seldom show of the outbox, or not at all: refused changes, deliveries that join, and callers at the same time. */
export const outboxCases: readonly StorageCase[] = [
  neededStoresCase('outbox-store', 'outbox', [
    ...(['accounts', 'keys', 'folders', 'secrets', 'links', 'deliveries'] as const),
  ]),
  ...outboxEventCases,
  ...outboxDistributionCases,
  ...deliveryJoinCases,
]
