import type { Lease, Target } from '@sotto/core'
import { expectOk } from '../contract/expect.ts'
import { noonMicros, type SecretDelivery, type Samples } from '../shared/samples.ts'
import { same } from '../contract/compare.ts'
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

/** Cases of `lease` that histories do not show. */
export const deliveryLeaseCases: readonly StorageCase[] = together({
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
