import type { Lease, Target } from '@sotto/core'
import { expectOk } from '../contract/expect.ts'
import { noonMicros, type SecretDelivery, type Samples } from '../shared/samples.ts'
import { same, sameIds } from '../contract/compare.ts'
import {
  besideCase,
  storageCase,
  type StorageCase,
  type StorageUnderTest,
  together,
} from '../stores/harness.ts'
import {
  addDeliveries,
  addQueue,
  fresh,
  latestAfterMicros,
  lease,
  leasedIds,
  leaseMicros,
  mailAt,
  onlyLease,
  type Queue,
} from './queue-rows.ts'

/** Cases of which targets and deliveries `lease` gives. */
export const deliveryLeaseCases: readonly StorageCase[] = together({
  'delivery-store/lease-gives-what-is-due': storageCase({
    rule: 'lease gives the deliveries that are due, exactly as they are, under one of the given ids, by event time and id. Those that are due later, even by a microsecond, are left out.',
    async check(store, make) {
      const queue = await addQueue(store, make)
      const early = { dueAtMicros: 0 }
      const due = [mailAt(make, queue, 5), mailAt(make, queue, 5), mailAt(make, queue, 1, early)]
      const last = mailAt(make, queue, 9, early)
      const later = mailAt(make, queue, 0, { dueAtMicros: noonMicros + 1 })
      await addDeliveries(store, queue, [later, last, ...due.toReversed()])
      const ids = [make.uuid(), make.uuid()]
      const leases = await lease(store, make, { ids })
      same(leases.length, 1, 'how many targets were leased')
      same(ids.includes(leases[0]?.id ?? ''), true, 'whether the id of the lease is a given one')
      const [first, second, third] = due
      same(
        leases.map(({ target, deliveries }) => ({ target, deliveries })),
        [
          {
            target: queue.mail,
            deliveries: [third, first, second, last].map((each) => each && fresh(each)),
          },
        ],
      )
    },
  }),
  'delivery-store/lease-is-of-one-kind': storageCase({
    rule: 'lease gives targets of the given kind only; each webhook is a target of its own.',
    async check(store, make) {
      const queue = await addQueue(store, make)
      const mail = mailAt(make, queue, 0)
      const [one, other] = [webhookOf(make, queue), webhookOf(make, queue)]
      const posts = [one, other, one].map((target) => mailAt(make, queue, 0, { target }))
      await addDeliveries(store, queue, [...posts, mail])
      same(leasedIds(await lease(store, make, { kind: 'mail' })), [mail.id])
      const leases = await lease(store, make, { kind: 'webhook' })
      same(
        leases
          .map(({ target, deliveries }) => ({ target, ids: deliveries.map(({ id }) => id) }))
          .toSorted((first, second) => second.ids.length - first.ids.length),
        [
          { target: one, ids: [posts[0]?.id, posts[2]?.id] },
          { target: other, ids: [posts[1]?.id] },
        ],
      )
      same(new Set(leases.map(({ id }) => id)).size, 2, 'how many ids the leases have')
    },
  }),
  'delivery-store/lease-has-bounds': storageCase({
    rule: 'At most as many targets are leased as there are ids, and at most `perTarget` deliveries of each.',
    async check(store, make) {
      const queue = await addQueue(store, make)
      const targets = Array.from({ length: 3 }, () => webhookOf(make, queue))
      const posts = targets.flatMap((target) => [0, 1, 2].map((at) => mailAt(make, queue, at, { target })))
      await addDeliveries(store, queue, posts)
      const ids = [make.uuid(), make.uuid()]
      const leases = await lease(store, make, { kind: 'webhook', ids, perTarget: 2 })
      same(
        leases.map(({ deliveries }) => deliveries.length),
        [2, 2],
        'the deliveries of each target',
      )
      const rest = await onlyLease(store, make, { kind: 'webhook', perTarget: 3 })
      same(rest.deliveries.length, 3, 'the deliveries of the target that was left')
    },
  }),
  'delivery-store/longest-due-comes-first': storageCase({
    rule: 'Targets that are due the longest are leased first, whatever the times of their events.',
    async check(store, make) {
      const queue = await addQueue(store, make)
      const post = (dueAtMicros: number, eventAt: number) =>
        mailAt(make, queue, eventAt, { dueAtMicros, target: webhookOf(make, queue) })
      const [second, first, third] = [
        post(noonMicros - 2, 0),
        post(noonMicros - 3, 9),
        post(noonMicros - 1, 5),
      ]
      await addDeliveries(store, queue, [second, first, third])
      for (const { id } of [first, second, third]) {
        same(leasedIds(await lease(store, make, { kind: 'webhook', ids: [make.uuid()] })), [id])
      }
    },
  }),
  'delivery-store/lease-keeps-others-away': storageCase({
    rule: 'A leased target is not leased again before its lease ends, not even for deliveries that were added since; other targets are.',
    async check(store, make) {
      const [mine, theirs] = [await addQueue(store, make), await addQueue(store, make)]
      const first = mailAt(make, mine, 0)
      await addDeliveries(store, mine, [first])
      await onlyLease(store, make)
      const [second, other] = [mailAt(make, mine, 1), mailAt(make, theirs, 0)]
      await addDeliveries(store, mine, [second])
      await addDeliveries(store, theirs, [other])
      const beforeEnd = { nowMicros: noonMicros + leaseMicros - 1 }
      same(leasedIds(await lease(store, make, beforeEnd)), [other.id], 'before the lease ends')
      const atEnd = await onlyLease(store, make, { nowMicros: noonMicros + leaseMicros })
      same(leasedIds([atEnd]), [first.id, second.id], 'when it ends')
    },
  }),
  'delivery-store/wrong-clock-delays-nothing': storageCase({
    rule: 'What is due after `latestMicros` is leased immediately, as is a target whose lease ends after it; what is due at `latestMicros`, or leased until then, is not.',
    async check(store, make) {
      const latestMicros = noonMicros + latestAfterMicros
      const added: SecretDelivery[] = []
      for (const times of [[latestMicros], [latestMicros + 1], [noonMicros, latestMicros + 1]]) {
        const queue = await addQueue(store, make)
        const mails = times.map((dueAtMicros) => mailAt(make, queue, 0, { dueAtMicros }))
        await addDeliveries(store, queue, mails)
        added.push(...mails)
      }
      const [late, ...others] = added.map(({ id }) => id)
      same(leasedIds(await lease(store, make)).toSorted(), others.toSorted())
      const untilMicros = noonMicros + leaseMicros
      const next = await lease(store, make, { latestMicros: untilMicros, untilMicros: untilMicros - 1 })
      same(leasedIds(next), [late], 'the one not leased')
      const back = await lease(store, make, { latestMicros: untilMicros - 1 })
      same(leasedIds(back).toSorted(), others.toSorted(), 'leased by a clock that ran ahead')
    },
  }),
  'delivery-store/release-ends-a-lease': storageCase({
    rule: 'A target that was released can be leased immediately; release answers Ok(true), and releases no other target.',
    async check(store, make) {
      const [mine, theirs] = [await addQueue(store, make), await addQueue(store, make)]
      const [first, other] = [mailAt(make, mine, 0), mailAt(make, theirs, 0)]
      await addDeliveries(store, mine, [first])
      await addDeliveries(store, theirs, [other])
      const leases = await lease(store, make)
      same(leasedIds(leases).toSorted(), [first.id, other.id].toSorted())
      let held = leases.find(({ target }) => target.accountId === mine.accountId)
      for (let time = 0; time < 2; time += 1) {
        same(held && expectOk(await store.deliveries.release(held)), true)
        held = await onlyLease(store, make)
        same(leasedIds([held]), [first.id])
      }
    },
  }),
  'delivery-store/one-of-parallel-callers-leases': storageCase({
    rule: 'Of many callers that lease at the same time exactly one gets each target.',
    async check(store, make) {
      const added = await addManyTargets(store, make)
      const leases = await Promise.all(added.map(() => lease(store, make, { kind: 'webhook' })))
      same(leasedIds(leases.flat()).toSorted(), added.map(({ id }) => id).toSorted())
    },
  }),
  'delivery-store/one-of-two-storages-leases': besideCase({
    rule: 'Of callers in several storages on the same data exactly one gets each target, until its lease ends.',
    async check(store, beside, make) {
      const added = await addManyTargets(store, make)
      const callers = added.map((_, at) => (at % 2 === 0 ? store : beside))
      const leases = await Promise.all(callers.map((caller) => lease(caller, make, { kind: 'webhook' })))
      same(leasedIds(leases.flat()).toSorted(), added.map(({ id }) => id).toSorted())
      same(await lease(beside, make, { kind: 'webhook' }), [], 'while they are leased')
      const nowMicros = noonMicros + leaseMicros
      const over = await lease(beside, make, { kind: 'webhook', nowMicros })
      same(over.length, 4, 'how many targets are leased when their leases have ended')
    },
  }),
  'delivery-store/lost-lease-changes-nothing': storageCase({
    rule: 'Once another caller has leased the target, settle and release of the older lease answer Ok(false) and change nothing, even after the other one has released it.',
    async check(store, make) {
      const queue = await addQueue(store, make)
      const added = mailAt(make, queue, 0)
      await addDeliveries(store, queue, [added])
      const older = await onlyLease(store, make)
      const later = { nowMicros: noonMicros + leaseMicros }
      const newer = await onlyLease(store, make, later)
      await losesEverything(store, older, added)
      same(await lease(store, make, later), [], 'whether the newer lease is held')
      same(expectOk(await store.deliveries.release(newer)), true)
      await losesEverything(store, older, added)
      same(leasedIds([await onlyLease(store, make, later)]), [added.id])
    },
  }),
  'delivery-store/ended-lease-settles-while-nobody-else-has-leased': storageCase({
    rule: 'A lease that has ended still settles and is released, as long as no other caller has leased the target.',
    async check(store, make) {
      const queue = await addQueue(store, make)
      const [first, second] = [mailAt(make, queue, 0), mailAt(make, queue, 1)]
      await addDeliveries(store, queue, [first, second])
      const held = await onlyLease(store, make, { untilMicros: noonMicros })
      same(expectOk(await store.deliveries.settle(held, first.id, { outcome: 'done' })), true)
      same(expectOk(await store.deliveries.release(held)), true)
      sameIds((await onlyLease(store, make)).deliveries, [second.id])
    },
  }),
})

function webhookOf(make: Samples, { accountId }: Queue): Target {
  return { kind: 'webhook', accountId, webhookId: make.uuid() }
}

/** Adds a delivery to each of four webhooks. */
async function addManyTargets(store: StorageUnderTest, make: Samples): Promise<readonly SecretDelivery[]> {
  const queue = await addQueue(store, make)
  const posts = [0, 1, 2, 3].map((at) => mailAt(make, queue, at, { target: webhookOf(make, queue) }))
  await addDeliveries(store, queue, posts)
  return posts
}

async function losesEverything(store: StorageUnderTest, held: Lease, added: SecretDelivery): Promise<void> {
  const { deliveries } = store
  for (const settlement of [
    { outcome: 'done' },
    { outcome: 'pause', untilMicros: noonMicros },
    { outcome: 'retry', dueAtMicros: noonMicros, failure: 'timeout' },
    { outcome: 'dead', atMicros: noonMicros, failure: 'timeout' },
  ] as const) {
    same(expectOk(await deliveries.settle(held, added.id, settlement)), false, settlement.outcome)
  }
  same(expectOk(await deliveries.release(held)), false, 'whether it was released')
  same(expectOk(await deliveries.page({}, undefined, 10)), [fresh(added)])
}
