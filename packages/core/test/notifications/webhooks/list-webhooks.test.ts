import t from 'tap'
import { expectErr, expectOk } from '@sotto/test-kit'
import { listWebhooks } from '../../../src/notifications/webhooks/webhooks.ts'
import { corruptEndpoint } from '../../corruption.ts'
import { addWebhook, createWorld, unknownId } from '../../world.ts'

t.test('an account sees its webhooks in the order of their creation, and no signing secret', async (t) => {
  const world = await createWorld()
  const { deps, accountId } = world
  const urls = ['https://b.example.org', 'https://a.example.org']
  for (const url of urls) {
    await addWebhook(world, url)
    deps.clock.advance(1)
  }
  const listed = expectOk(await listWebhooks(deps, { accountId }))
  t.strictSame(
    listed.items.map(({ url }) => url),
    urls,
  )
  t.notMatch(JSON.stringify(listed), /whsec_/)
  t.strictSame(expectOk(await listWebhooks(deps, { accountId: unknownId })), { items: [], corrupted: [] })
})

t.test('a corrupted webhook is left out and named, and hides no other', async (t) => {
  const world = await createWorld()
  const [broken, sound] = [await addWebhook(world), await addWebhook(world)]
  corruptEndpoint(world, broken)
  const listed = expectOk(await listWebhooks(world.deps, world))
  t.match(listed.items, [{ id: sound }])
  t.strictSame(listed.corrupted, [{ code: 'data_damaged', what: 'webhook.endpoint', id: broken }])
})

t.test('a webhook whose text decrypts and is no endpoint is corrupted', async (t) => {
  const world = await createWorld()
  const { deps, accountId } = world
  const id = await addWebhook(world)
  const { webhooks } = deps.data
  const place = { column: 'webhook.endpoint', accountId, rowId: id } as const
  webhooks.set(id, { ...webhooks.get(id)!, endpoint: deps.textCipher.encryptText(place, 'no endpoint') })
  const listed = expectOk(await listWebhooks(deps, world))
  t.strictSame(listed, { items: [], corrupted: [{ code: 'data_damaged', what: 'webhook.endpoint', id }] })
})

t.test('without their key there is no list', async (t) => {
  const world = await createWorld()
  await addWebhook(world)
  world.deps.keyRing.file.kids = []
  world.deps.keyRing.refresh()
  t.match(expectErr(await listWebhooks(world.deps, world)), { code: 'key_unknown' })
})

t.test('a key rotation puts webhooks under the new key', async (t) => {
  const world = await createWorld()
  const id = await addWebhook(world)
  expectOk(await world.sotto.rotateKeys())
  t.equal(world.deps.data.webhooks.get(id)?.endpoint.kid, 2)
  t.match(expectOk(await listWebhooks(world.deps, world)), { items: [{ id }], corrupted: [] })
})
