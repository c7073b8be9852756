import assert from 'node:assert/strict'
import type { Lease, SecretEvent, Settlement } from '@sotto/core'
import { expectOk } from '../contract/expect.ts'
import { noonMicros, type Samples, type SecretDelivery } from '../shared/samples.ts'
import { same, sameIds } from '../contract/compare.ts'
import { storageCase, type StorageCase, type StorageUnderTest, together } from '../stores/harness.ts'
import { addDeliveries, addQueue, fresh, lease, listed, onlyLease, type Queue } from './queue-rows.ts'

const pauseUntilMicros = noonMicros + 600_000_000

/** Cases of deliveries that join others, or do not, after what histories seldom do. */
export const deliveryJoinCases: readonly StorageCase[] = together({
  'outbox-store/joins-what-waits': storageCase({
    rule: "A delivery that joins adds one to the count of the one that waits, whose event becomes the new one but for the event's id; nothing else of it changes.",
    async check(store, make) {
      const queue = await addQueue(store, make)
      const [first, second, third, fourth] = opensOf(make, queue)
      await addDeliveries(store, queue, [first])
      for (const [count, later] of [
        [2, second],
        [3, third],
        [4, { ...fourth, event: { ...fourth.event, opens: third.event.opens } }],
      ] as const) {
        await addDeliveries(store, queue, [later])
        const event = { ...later.event, id: first.event.id }
        same(await listed(store), [{ ...fresh(first), event, count }])
      }
    },
  }),
  'outbox-store/joins-only-its-like': storageCase({
    rule: 'A delivery joins none to another target, about another secret or of another type, none that does not join, and none when it does not join itself.',
    async check(store, make) {
      const queue = await addQueue(store, make)
      const { accountId } = queue
      const webhooks = [make.uuid(), make.uuid()]
      const kinds: readonly ((event: SecretEvent) => Partial<SecretDelivery>)[] = [
        () => ({}),
        () => ({ target: { kind: 'webhook', accountId, webhookId: webhooks[0] ?? '' } }),
        () => ({ target: { kind: 'webhook', accountId, webhookId: webhooks[1] ?? '' } }),
        (event) => ({ event: { ...event, secretId: make.uuid() } }),
        (event) => ({ event: { ...event, type: 'secret.locked' } }),
      ]
      const [one] = opensOf(make, queue)
      const added = kinds.map((change) => {
        const event = { ...one.event, id: make.uuid() }
        return make.delivery(event, { joins: true, ...change(event) })
      })
      const apart = make.event(accountId)
      const alone = [false, true, false].map((joins) =>
        make.delivery({ ...apart, id: make.uuid() }, { joins }),
      )
      await addDeliveries(store, queue, [...added, ...alone])
      const deliveries = await listed(store)
      same(
        deliveries.map(({ count }) => count),
        [...added, ...alone].map(() => 1),
        'the counts',
      )
    },
  }),
  'outbox-store/joins-none-that-was-leased': storageCase({
    rule: 'A delivery joins none that was leased, whatever became of it: what may have been sent keeps its content.',
    async check(store, make) {
      const ways: readonly ((held: Lease) => Promise<void>)[] = [
        () => Promise.resolve(),
        async (held) => void expectOk(await store.deliveries.release(held)),
        (held) => settleAll(store, held, { outcome: 'retry', dueAtMicros: noonMicros, failure: 'timeout' }),
        (held) => settleAll(store, held, { outcome: 'dead', atMicros: noonMicros, failure: 'status 550' }),
        async ({ deliveries }) => {
          for (const { id } of deliveries) expectOk(await store.deliveries.retry(id, noonMicros))
        },
      ]
      for (const [at, way] of ways.entries()) {
        const queue = await addQueue(store, make)
        const [first, second, third] = opensOf(make, queue)
        await addDeliveries(store, queue, [first])
        const held = (await lease(store, make)).find(({ target }) => target.accountId === queue.accountId)
        assert.ok(held, 'the mails of the account were not leased')
        await way(held)
        await addDeliveries(store, queue, [second, third])
        const deliveries = expectOk(
          await store.deliveries.page({ accountId: queue.accountId }, undefined, 10),
        )
        sameIds(deliveries, [first.id, second.id], `the deliveries, way ${at}`)
        same(
          deliveries.map(({ count, event }) => ({ count, eventId: event.id })),
          [
            { count: 1, eventId: first.event.id },
            { count: 2, eventId: second.event.id },
          ],
        )
      }
    },
  }),
  'outbox-store/joins-a-pause': storageCase({
    rule: 'What joins a pause becomes its event, id included, and is due at its end; what joins after that is counted.',
    async check(store, make) {
      const queue = await addQueue(store, make)
      const [first, second, third] = opensOf(make, queue)
      await addDeliveries(store, queue, [first])
      await pauseAll(store, await onlyLease(store, make))
      await addDeliveries(store, queue, [second])
      const paused = { ...fresh(first), dueAtMicros: pauseUntilMicros, event: second.event }
      same(await listed(store), [paused], 'after the first')
      await addDeliveries(store, queue, [third])
      const event = { ...third.event, id: second.event.id }
      same(await listed(store), [{ ...paused, event, count: 2 }], 'after the second')
    },
  }),
})

/** Mails about four opens of one secret, one microsecond apart, that join. */
function opensOf(
  make: Samples,
  { accountId }: Queue,
): readonly [SecretDelivery, SecretDelivery, SecretDelivery, SecretDelivery] {
  const secretId = make.uuid()
  const open = (at: number) =>
    make.delivery(make.event(accountId, { secretId, createdAtMicros: noonMicros + at, opens: at + 1 }), {
      joins: true,
      dueAtMicros: noonMicros,
    })
  return [open(0), open(1), open(2), open(3)]
}

async function pauseAll(store: StorageUnderTest, held: Lease): Promise<void> {
  await settleAll(store, held, { outcome: 'pause', untilMicros: pauseUntilMicros })
  expectOk(await store.deliveries.release(held))
}

async function settleAll(
  { deliveries }: StorageUnderTest,
  held: Lease,
  settlement: Settlement,
): Promise<void> {
  for (const { id } of held.deliveries) same(expectOk(await deliveries.settle(held, id, settlement)), true)
}
