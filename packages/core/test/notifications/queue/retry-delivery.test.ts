import t from 'tap'
import { createMemoryMailSender, expectErr, expectOk } from '@sotto/test-kit'
import { deliverLease } from '../../../src/notifications/deliver-lease.ts'
import { retryDelivery } from '../../../src/notifications/queue/deliveries.ts'
import { createWorld, leaseDue, openTimes, shareHeard, unknownId } from '../../world.ts'

t.test('a message that was given up is due again, without failed attempts', async (t) => {
  for (const verdict of ['never', 'retry'] as const) {
    const world = await createWorld()
    const { deps } = world
    await openTimes(world, await shareHeard(world))
    const lease = await leaseDue(world, 'mail')
    const mailSender = createMemoryMailSender({
      answer: () => ({ code: 'send_failed', reason: 'x', verdict }),
    })
    expectOk(await deliverLease({ ...deps, mailSender }, { lease }))
    const { id } = lease.deliveries[0]!
    expectOk(await retryDelivery(deps, { id: id.toUpperCase() }))
    const again = await leaseDue(world, 'mail')
    t.match(again.deliveries, [{ id, attempts: 0, deadAtMicros: undefined }], verdict)
    expectOk(await deliverLease(deps, { lease: again }))
    t.equal(deps.mailSender.attempts[0]?.id, mailSender.attempts[0]?.id, 'the same message')
  }
})

t.test('an unknown or malformed id is the same error', async (t) => {
  const { deps } = await createWorld()
  for (const id of [unknownId, 'nonsense'])
    t.strictSame(expectErr(await retryDelivery(deps, { id })), { code: 'delivery_not_found' })
})
