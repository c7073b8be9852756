import t from 'tap'
import { expectErr, expectOk } from '@sotto/test-kit'
import { deleteWebhook } from '../../../src/notifications/webhooks/webhooks.ts'
import { addWebhook, all, createWorld, openTimes, shareHeard, unknownId } from '../../world.ts'

t.test('a deleted webhook is gone with the messages that wait for it', async (t) => {
  const world = await createWorld()
  const { deps, sotto, accountId } = world
  const [id, other] = [await addWebhook(world), await addWebhook(world)]
  await openTimes(world, await shareHeard(world))
  expectOk(await sotto.distributeEvents())
  expectOk(await deleteWebhook(deps, { accountId, id: id.toUpperCase() }))
  t.match(expectOk(await sotto.listWebhooks({ accountId })).items, [{ id: other }])
  const waiting = await all(sotto.listDeliveries())
  const webhookIds = waiting.map(({ target }) => (target.kind === 'webhook' ? target.webhookId : 'mail'))
  t.strictSame(webhookIds.toSorted(), [other, 'mail'].toSorted())
})

t.test('an unknown, malformed or another account’s id is the same error', async (t) => {
  const world = await createWorld()
  const id = await addWebhook(world)
  const { id: stranger } = expectOk(await world.sotto.createAccount({ email: 'bob@example.org' }))
  for (const input of [
    { accountId: world.accountId, id: unknownId },
    { accountId: world.accountId, id: 'nonsense' },
    { accountId: stranger, id },
  ]) {
    t.strictSame(expectErr(await deleteWebhook(world.deps, input)), { code: 'webhook_not_found' })
  }
  t.equal(world.deps.data.webhooks.size, 1)
})
