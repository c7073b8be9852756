import t from 'tap'
import { createMemoryMailSender, expectOk } from '@sotto/test-kit'
import { deliverLease } from '../../../src/notifications/deliver-lease.ts'
import { getQueueState } from '../../../src/notifications/queue/deliveries.ts'
import { createWorld, leaseDue, openTimes, shareHeard, startMicros } from '../../world.ts'

t.test('the queue tells how much waits, how much was given up, and since when', async (t) => {
  const world = await createWorld()
  const { deps, sotto } = world
  const state = async () => expectOk(await getQueueState(deps))
  const empty = { events: 0, waiting: 0, dead: 0, oldestMicros: undefined }
  t.strictSame(await state(), empty)
  await openTimes(world, await shareHeard(world))
  t.strictSame(await state(), { ...empty, events: 1, oldestMicros: startMicros })
  expectOk(await sotto.distributeEvents())
  t.strictSame(await state(), { ...empty, waiting: 1, oldestMicros: startMicros })
  const refused = { code: 'send_failed', reason: 'status 550', verdict: 'never' } as const
  const mailSender = createMemoryMailSender({ answer: () => refused })
  expectOk(await deliverLease({ ...deps, mailSender }, { lease: await leaseDue(world, 'mail') }))
  t.strictSame(await state(), { ...empty, dead: 1 })
})
