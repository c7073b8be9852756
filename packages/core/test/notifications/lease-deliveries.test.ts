import t from 'tap'
import { expectOk } from '@sotto/test-kit'
import { leaseDeliveries } from '../../src/notifications/lease-deliveries.ts'
import { leaseMicros } from '../../src/notifications/queue/retries.ts'
import { addWebhook, createWorld, openTimes, shareHeard } from '../world.ts'

async function worldWithMessages() {
  const world = await createWorld()
  const hooks = [await addWebhook(world), await addWebhook(world)]
  for (let nr = 0; nr < 3; nr += 1) await openTimes(world, await shareHeard(world))
  expectOk(await world.sotto.distributeEvents())
  return { ...world, hooks }
}

t.test('a lease holds for thirty seconds, and is taken over after that', async (t) => {
  const { deps } = await worldWithMessages()
  t.equal(leaseMicros, 30_000_000)
  const lease = async () => expectOk(await leaseDeliveries(deps, { kind: 'mail', targets: 9, perTarget: 9 }))
  const [first] = await lease()
  t.match(first, { target: { kind: 'mail' } })
  t.equal(first?.deliveries.length, 3)
  t.strictSame(await lease(), [])
  deps.clock.advance(leaseMicros - 1)
  t.strictSame(await lease(), [])
  deps.clock.advance(1)
  const [second] = await lease()
  t.strictSame(second?.deliveries, first?.deliveries)
  t.not(second?.id, first?.id)
})

t.test('as many targets and messages are leased as were asked for, of one kind', async (t) => {
  const { deps, hooks } = await worldWithMessages()
  const lease = async (targets: number) =>
    expectOk(await leaseDeliveries(deps, { kind: 'webhook', targets, perTarget: 2 }))
  const one = await lease(1)
  t.match(one, [{ target: { kind: 'webhook' } }])
  t.equal(one[0]?.deliveries.length, 2)
  const rest = await lease(5)
  t.equal(rest.length, 1)
  const leased = [...one, ...rest].map(({ target }) => target.kind === 'webhook' && target.webhookId)
  t.strictSame(leased.toSorted(), hooks.toSorted())
})

t.test('nothing is leased of a kind that cannot be sent here, and of the other kind as ever', async (t) => {
  const { deps } = await worldWithMessages()
  const lease = async (kind: 'mail' | 'webhook', missing: 'mailSender' | 'webhookSender') => {
    const leased = await leaseDeliveries(
      { ...deps, [missing]: undefined },
      { kind, targets: 9, perTarget: 9 },
    )
    return expectOk(leased).length
  }
  t.equal(await lease('mail', 'mailSender'), 0)
  t.equal(await lease('webhook', 'webhookSender'), 0)
  t.equal(await lease('mail', 'webhookSender'), 1)
  t.equal(await lease('webhook', 'mailSender'), 2)
})

// Promise (Notifications): A clock that ran ahead keeps no message waiting for as long as it was wrong
t.test('a clock that was a year ahead keeps no message waiting', async (t) => {
  const { deps } = await worldWithMessages()
  const lease = async () => expectOk(await leaseDeliveries(deps, { kind: 'mail', targets: 9, perTarget: 9 }))
  const nowMicros = deps.clock.nowMicros()
  deps.clock.set(nowMicros + 365 * 86_400_000_000)
  const [first] = await lease()
  const [delivery] = first?.deliveries ?? []
  const dueAtMicros = deps.clock.nowMicros() + 1
  const retry = { outcome: 'retry', dueAtMicros, failure: 'timeout' } as const
  expectOk(await deps.deliveries.settle(first!, delivery!.id, retry))
  deps.clock.set(nowMicros)
  const [second] = await lease()
  t.strictSame(
    second?.deliveries.map(({ id }) => id),
    first?.deliveries.map(({ id }) => id),
  )
})

t.test('nothing is leased that cannot be sent', async (t) => {
  const { deps } = await worldWithMessages()
  const asked = { targets: 1, perTarget: 1 }
  const unable = { ...deps, mailSender: undefined, webhookSender: undefined }
  t.strictSame(expectOk(await leaseDeliveries(unable, { kind: 'mail', ...asked })), [])
  t.strictSame(expectOk(await leaseDeliveries(unable, { kind: 'webhook', ...asked })), [])
  t.equal(expectOk(await leaseDeliveries(deps, { kind: 'mail', ...asked })).length, 1, 'it waits')
})
