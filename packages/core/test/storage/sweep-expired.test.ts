import t from 'tap'
import { createMemoryMailSender, expectOk } from '@sotto/test-kit'
import { deliverLease } from '../../src/notifications/deliver-lease.ts'
import { keepMicros } from '../../src/storage/retention.ts'
import { sweepExpired } from '../../src/storage/sweep-expired.ts'
import {
  createWorld,
  dayMicros,
  leaseDue,
  newSecret,
  openTimes,
  secondMicros,
  shareHeard,
  startMicros,
} from '../world.ts'

t.test('secrets that expired ten minutes ago are erased, later ones are not', async (t) => {
  const world = await createWorld()
  const { deps, sotto, accountId } = world
  for (let count = 0; count < 120; count += 1) expectOk(await sotto.createSecret(newSecret(world)))
  deps.clock.advance(1)
  const later = expectOk(await sotto.createSecret(newSecret(world)))
  deps.clock.set(startMicros + 30 * dayMicros + 600 * secondMicros - 1)
  t.strictSame(expectOk(await sweepExpired(deps)), { secrets: 0, quotaBuckets: 0 })
  deps.clock.advance(1)
  const limits: number[] = []
  const secrets: typeof deps.secrets = {
    ...deps.secrets,
    eraseExpired: (by, limit, report) => (limits.push(limit), deps.secrets.eraseExpired(by, limit, report)),
  }
  t.equal(expectOk(await sweepExpired({ ...deps, secrets })).secrets, 120)
  t.strictSame(limits, [50, 50, 50], 'in small transactions')
  t.ok(expectOk(await deps.secrets.find(accountId, later.id, startMicros)))
})

t.test('quota windows that are over are erased, so that no address stays stored', async (t) => {
  const { deps, sotto } = await createWorld()
  expectOk(await sotto.takeQuota({ bucket: { kind: 'address', address: '192.0.2.1' } }))
  deps.clock.advance(dayMicros - 1)
  t.equal(expectOk(await sweepExpired(deps)).quotaBuckets, 0)
  deps.clock.advance(1)
  t.equal(expectOk(await sweepExpired(deps)).quotaBuckets, 1)
})

t.test('a sweep that should stop ends between two batches', async (t) => {
  const world = await createWorld()
  const { deps, sotto } = world
  for (let count = 0; count < 120; count += 1) expectOk(await sotto.createSecret(newSecret(world)))
  deps.clock.set(startMicros + 31 * dayMicros)
  let batches = 0
  const shouldStop = () => (batches += 1) > 3
  t.strictSame(expectOk(await sweepExpired(deps, { shouldStop })), { secrets: 50, quotaBuckets: 0 })
  t.strictSame(expectOk(await sweepExpired(deps, { shouldStop: () => true })), {
    secrets: 0,
    quotaBuckets: 0,
  })
  t.equal(expectOk(await sweepExpired(deps)).secrets, 70)
})

t.test('an owner hears of secrets that expire without ever being opened, once', async (t) => {
  const world = await createWorld()
  const { deps, sotto, accountId, folderId } = world
  const [unopened, opened] = [await shareHeard(world, { openLimit: 2 }), await shareHeard(world)]
  await openTimes(world, opened)
  expectOk(await sotto.createSecret(newSecret(world)))
  expectOk(await sotto.distributeEvents())
  deps.clock.set(startMicros + 31 * dayMicros)
  t.equal(expectOk(await sweepExpired(deps)).secrets, 3)
  t.equal(expectOk(await sweepExpired(deps)).secrets, 0)
  const { expiresAtMicros } = unopened
  const [event, ...others] = deps.data.outbox.values()
  t.match(event, { type: 'secret.expired_unopened', accountId, folderId, secretId: unopened.id, opens: 0 })
  t.match(event, { opensLeft: 2, expiresAtMicros, createdAtMicros: expiresAtMicros })
  t.strictSame(others, [])
})

t.test('an owner hears of an expiry also when the installation stood still for long', async (t) => {
  const world = await createWorld()
  await shareHeard(world)
  world.deps.clock.set(startMicros + 100 * dayMicros)
  expectOk(await sweepExpired(world.deps))
  t.equal(world.deps.data.outbox.size, 1)
})

t.test(
  'messages that were given up, and events that nobody distributed, are erased after 30 days',
  async (t) => {
    const world = await createWorld()
    const { deps } = world
    t.equal(keepMicros, 30 * dayMicros)
    const secret = await shareHeard(world)
    await openTimes(world, secret)
    const refused = { code: 'send_failed', reason: 'status 550', verdict: 'never' } as const
    const mailSender = createMemoryMailSender({ answer: () => refused })
    expectOk(await deliverLease({ ...deps, mailSender }, { lease: await leaseDue(world, 'mail') }))
    const { deadAtMicros } = [...deps.data.deliveries.values()][0]!.delivery
    await openTimes(world, secret)
    const rows = async (nowMicros: number) => {
      deps.clock.set(nowMicros)
      expectOk(await sweepExpired(deps))
      return [deps.data.deliveries.size, deps.data.outbox.size]
    }
    t.strictSame(await rows(deadAtMicros! + keepMicros - 1), [1, 1])
    t.strictSame(await rows(deadAtMicros! + keepMicros), [0, 0])
  },
)
