import t from 'tap'
import { errAsync } from 'neverthrow'
import { expectErr, expectOk } from '@sotto/test-kit'
import { webhooksMax } from '../../../src/notifications/webhooks/webhook.ts'
import { createWebhook } from '../../../src/notifications/webhooks/webhooks.ts'
import { addWebhook, createWorld, startMicros, unknownId, webhookUrl } from '../../world.ts'

t.test('a new webhook has an address, and a signing secret of its own that is shown once', async (t) => {
  const { deps, sotto, accountId } = await createWorld()
  const made = expectOk(await createWebhook(deps, { accountId, url: webhookUrl }))
  const { secret, ...webhook } = made
  t.match(secret, /^whsec_[A-Za-z0-9+/]{32}$/)
  t.strictSame(webhook, {
    id: made.id,
    createdAtMicros: startMicros,
    failingSinceMicros: undefined,
    disabled: undefined,
    url: webhookUrl,
  })
  t.strictSame(expectOk(await sotto.listWebhooks({ accountId })), { items: [webhook], corrupted: [] })
  const other = expectOk(await createWebhook(deps, { accountId, url: webhookUrl }))
  t.not(other.secret, secret)
})

t.test('address and secret are stored encrypted', async (t) => {
  const { deps, accountId } = await createWorld()
  const { secret } = expectOk(await createWebhook(deps, { accountId, url: webhookUrl }))
  const rows = [...deps.data.webhooks.values()]
  t.match(rows, [{ accountId, endpoint: { kid: 1 } }])
  const stored = Buffer.from(rows[0]!.endpoint.ciphertext).toString('latin1') + JSON.stringify(rows)
  for (const plain of [secret, 'hooks.example.org']) t.notOk(stored.includes(plain), plain)
})

t.test('an address that cannot be posted to is refused with its rule', async (t) => {
  const { deps, accountId } = await createWorld()
  const refused = async (url: string, webhookSender: typeof deps.webhookSender | undefined) =>
    expectErr(await createWebhook({ ...deps, webhookSender }, { accountId, url }))
  for (const [url, rule] of [
    ['nonsense', 'not_a_url'],
    ['http://hooks.example.org', 'not_https'],
    ['https://localhost', 'address_not_allowed'],
  ] as const) {
    const error = { code: 'fields_invalid', errors: [{ field: 'url', rule }] }
    t.strictSame(await refused(url, deps.webhookSender), error)
  }
  t.match(await refused(webhookUrl, undefined), { errors: [{ field: 'url', rule: 'address_not_allowed' }] })
  t.equal(deps.data.webhooks.size, 0)
})

t.test('an account has five webhooks at most, disabled ones included', async (t) => {
  const world = await createWorld()
  const { deps, sotto, accountId } = world
  for (let nr = 0; nr < webhooksMax; nr += 1) await addWebhook(world)
  const [id] = deps.data.webhooks.keys()
  const disabled = { atMicros: 1, reason: 'gone' } as const
  expectOk(await deps.webhooks.update(accountId, id!, () => ({ disabled })))
  const full = { code: 'webhook_limit_reached' }
  t.strictSame(expectErr(await createWebhook(deps, { accountId, url: webhookUrl })), full)
  expectOk(await sotto.deleteWebhook({ accountId, id: id! }))
  t.ok((await createWebhook(deps, { accountId, url: webhookUrl })).isOk())
})

t.test('an account that does not exist gets none', async (t) => {
  const { deps } = await createWorld()
  const created = await createWebhook(deps, { accountId: unknownId, url: webhookUrl })
  t.strictSame(expectErr(created), { code: 'account_not_found' })
})

t.test('when its key was retired in the meantime, the endpoint is encrypted again', async (t) => {
  const { deps, accountId } = await createWorld()
  let calls = 0
  const webhooks: typeof deps.webhooks = {
    ...deps.webhooks,
    insert: (...given) =>
      (calls += 1) === 1 ? errAsync({ code: 'key_retired' }) : deps.webhooks.insert(...given),
  }
  t.ok((await createWebhook({ ...deps, webhooks }, { accountId, url: webhookUrl })).isOk())
  t.equal(calls, 2)
})
