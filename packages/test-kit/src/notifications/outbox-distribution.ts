import type { EventDeliveries, SecretEvent } from '@sotto/core'
import { expectOk } from '../contract/expect.ts'
import { noonMicros, type Samples } from '../shared/samples.ts'
import { same } from '../contract/compare.ts'
import { besideCase, type StorageCase, type StorageUnderTest, together } from '../stores/harness.ts'
import { addQueue, fresh, listed, putEvents, type Queue } from './queue-rows.ts'

/** Cases of `distribute` by several callers. */
export const outboxDistributionCases: readonly StorageCase[] = together({
  'outbox-store/one-of-parallel-distributions-replaces': besideCase({
    rule: 'Of several calls that replace one event at the same time, in one storage or in two on the same data, exactly one does.',
    async check(store, beside, make) {
      const queue = await addQueue(store, make)
      const [event] = await putThree(store, make, queue)
      const rivals = Array.from({ length: 12 }, () => make.delivery(event))
      const results = await Promise.all(
        rivals.map((delivery, at) =>
          (at % 3 === 2 ? beside : store).outbox.distribute([{ eventId: event.id, deliveries: [delivery] }]),
        ),
      )
      const winners = rivals.filter((_, at) => results[at]?.unwrapOr(0) === 1)
      same(winners.length, 1, 'how many replaced the event')
      same(await listed(store), winners.map(fresh))
    },
  }),
  'outbox-store/distribute-is-one-step': besideCase({
    rule: 'Whoever looks while events are replaced, in this storage or another one on the same data, sees each as an event or as its delivery, never as both or neither.',
    async check(store, beside, make) {
      const queue = await addQueue(store, make)
      const events = Array.from({ length: 30 }, (_, at) =>
        make.event(queue.accountId, { createdAtMicros: noonMicros + at }),
      )
      await putEvents(store, queue, events)
      const chunks = [0, 10, 20].map((at) => events.slice(at, at + 10).map((event) => given(make, event)))
      const looks = await Promise.all([
        ...chunks.flatMap((chunk) => [
          store.outbox.distribute(chunk).map(() => undefined),
          ...Array.from({ length: 4 }, (_, at) => (at % 2 === 0 ? beside : store).deliveries.state()),
        ]),
        store.deliveries.state(),
      ])
      for (const look of looks) {
        const state = expectOk(look)
        if (state !== undefined) same(state.events + state.waiting, 30, 'events and deliveries')
      }
      same(expectOk(await beside.deliveries.state()).waiting, 30, 'deliveries at the end')
    },
  }),
})

function given(make: Samples, event: SecretEvent): EventDeliveries {
  return { eventId: event.id, deliveries: [make.delivery(event)] }
}

async function putThree(
  store: StorageUnderTest,
  make: Samples,
  queue: Queue,
): Promise<readonly [SecretEvent, SecretEvent, SecretEvent]> {
  const event = () => make.event(queue.accountId)
  const events = [event(), event(), event()] as const
  await putEvents(store, queue, events)
  return events
}
