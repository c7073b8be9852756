import t from 'tap'
import { idempotencyKeyErrors, requestDigests } from '../../src/rules/idempotency.ts'
import { createWorld, newSecret } from '../world.ts'

t.test('an idempotency key is 1 to 255 visible ASCII characters', (t) => {
  for (const key of ['k', '!', '~', '"8e03978e-40d5"', 'k'.repeat(255)]) {
    t.strictSame(idempotencyKeyErrors(key), [], key)
  }
  for (const key of ['', ' ', 'a b', 'a\tb', 'a\n', 'é', '\u007f', 'k'.repeat(256)]) {
    t.strictSame(
      idempotencyKeyErrors(key),
      [{ field: 'idempotencyKey', rule: 'not_visible_ascii', limit: 255 }],
      JSON.stringify(key),
    )
  }
  t.end()
})

t.test('requests have the same digest exactly if they ask for the same with the same key', async (t) => {
  const world = await createWorld()
  const first = { ...newSecret(world), idempotencyKey: 'k' }
  const digestOf = (change: object) =>
    Buffer.from(requestDigests(world.deps.digests, { ...first, ...change })[0]!.request).toString('hex')
  t.equal(digestOf({ notify: false, folderId: world.folderId.toUpperCase() }), digestOf({}))
  const changes = [
    ...[{ label: 'x' }, { note: 'x' }, { folderId: 'x' }, { openLimit: 1 }, { notify: true }],
    ...[{ password: 'x' }, { lifetimeSeconds: 3_600 }, { idempotencyKey: 'x' }, { accountId: 'x' }],
  ]
  const all = [{}, ...changes].map(digestOf)
  t.equal(new Set(all).size, all.length)
})
