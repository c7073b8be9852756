import t from 'tap'
import { createMemoryWebhookSender, expectErr, expectOk } from '@sotto/test-kit'
import { testWebhook } from '../../../src/notifications/webhooks/webhooks.ts'
import { corruptEndpoint } from '../../corruption.ts'
import { addWebhook, all, createWorld, startMicros, unknownId, webhookUrl } from '../../world.ts'

const notFound = { code: 'webhook_not_found' }

t.test('a test is posted immediately, beside the queue', async (t) => {
  const { deps, sotto, accountId } = await createWorld()
  const { id, secret } = expectOk(await sotto.createWebhook({ accountId, url: webhookUrl }))
  expectOk(await testWebhook(deps, { accountId, id }))
  expectOk(await testWebhook(deps, { accountId, id: id.toUpperCase() }))
  const message = { type: 'webhook.test', createdAtMicros: startMicros }
  const request = { url: webhookUrl, secret, atMicros: startMicros, message }
  t.match(deps.webhookSender.attempts, [request, request])
  t.not(deps.webhookSender.attempts[0]?.message.id, deps.webhookSender.attempts[1]?.message.id)
  t.strictSame(await all(sotto.listDeliveries()), [])
})

// Promise (The owner's pages): A test that is delivered enables a disabled webhook
t.test('a success enables a webhook that was disabled, a failure changes nothing', async (t) => {
  const world = await createWorld()
  const { deps, accountId } = world
  const id = await addWebhook(world)
  const disabled = { atMicros: 2, reason: 'failing' } as const
  expectOk(await deps.webhooks.update(accountId, id, () => ({ failingSinceMicros: 1, disabled })))
  for (const verdict of ['retry', 'never', 'gone'] as const) {
    const failed = { code: 'send_failed', reason: 'status 500', verdict } as const
    const webhookSender = createMemoryWebhookSender({ answer: () => failed })
    t.strictSame(expectErr(await testWebhook({ ...deps, webhookSender }, { accountId, id })), failed)
    t.match(deps.data.webhooks.get(id), { failingSinceMicros: 1, disabled })
  }
  expectOk(await testWebhook(deps, { accountId, id }))
  t.match(deps.data.webhooks.get(id), { failingSinceMicros: undefined, disabled: undefined })
})

t.test('an unknown, malformed or another account’s id is the same error, and nothing is sent', async (t) => {
  const world = await createWorld()
  const { deps, accountId } = world
  const id = await addWebhook(world)
  const { id: stranger } = expectOk(await world.sotto.createAccount({ email: 'bob@example.org' }))
  t.strictSame(expectErr(await testWebhook(deps, { accountId, id: unknownId })), notFound)
  t.strictSame(expectErr(await testWebhook(deps, { accountId, id: 'nonsense' })), notFound)
  t.strictSame(expectErr(await testWebhook(deps, { accountId: stranger, id })), notFound)
  t.strictSame(deps.webhookSender.attempts, [])
})

t.test('a webhook that is deleted while it is tested is not found', async (t) => {
  const world = await createWorld()
  const { deps, sotto, accountId } = world
  const id = await addWebhook(world)
  const answer = async () => {
    expectOk(await sotto.deleteWebhook({ accountId, id }))
    return undefined
  }
  const webhookSender = createMemoryWebhookSender({ answer })
  t.strictSame(expectErr(await testWebhook({ ...deps, webhookSender }, { accountId, id })), notFound)
})

t.test('a corrupted webhook, and one where nothing is posted, cannot be tested', async (t) => {
  const world = await createWorld()
  const { deps, accountId } = world
  const id = await addWebhook(world)
  const silent = await testWebhook({ ...deps, webhookSender: undefined }, { accountId, id })
  t.match(expectErr(silent), { code: 'send_failed', verdict: 'never' })
  corruptEndpoint(world, id)
  t.match(expectErr(await testWebhook(deps, { accountId, id })), { code: 'data_damaged' })
  t.strictSame(deps.webhookSender.attempts, [])
})
