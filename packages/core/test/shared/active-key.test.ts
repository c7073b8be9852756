import type { ResultAsync } from 'neverthrow'
import t from 'tap'
import { expectOk } from '@sotto/test-kit'
import { createWorld, email, newSecret, retireElsewhere, webhookUrl, type World } from '../world.ts'

type Write = () => ResultAsync<unknown, unknown>

/** Prepares a write, which is made after the key was retired. */
const writes: Readonly<Record<string, (world: World) => Write | Promise<Write>>> = {
  createAccount:
    ({ sotto }) =>
    () =>
      sotto.createAccount({ email: 'bob@example.org' }),
  createFolder:
    ({ sotto, accountId }) =>
    () =>
      sotto.createFolder({ accountId, label: 'Second' }),
  renameFolder:
    ({ sotto, accountId, folderId }) =>
    () =>
      sotto.renameFolder({ accountId, id: folderId, label: 'x' }),
  createWebhook:
    ({ sotto, accountId }) =>
    () =>
      sotto.createWebhook({ accountId, url: webhookUrl }),
  createSecret: (world) => () => world.sotto.createSecret(newSecret(world)),
  createSecretOnce: (world) => () =>
    world.sotto.createSecretOnce({ ...newSecret(world), idempotencyKey: 'x' }),
  saveDraft: (world) => () => world.sotto.saveDraft(newSecret(world)),
  shareDraft: async (world) => {
    const { id } = expectOk(await world.sotto.saveDraft(newSecret(world)))
    return () => world.sotto.shareDraft({ accountId: world.accountId, id })
  },
}

// Promise (Sealed at rest): Nothing is refused because another process has retired a key, and nothing is written under it
t.test('a write is not refused because another process has retired the key', async (t) => {
  for (const [name, prepare] of Object.entries(writes)) {
    const world = await createWorld()
    const write = await prepare(world)
    await retireElsewhere(world)
    t.equal(world.deps.keyRing.activeKid(), 1, `${name}: the keys were not read again yet`)
    expectOk(await write())
    t.equal(world.deps.keyRing.activeKid(), 2, name)
    const keys = expectOk(await world.sotto.keyStatus())
    t.match(keys, [{ kid: 2, active: true }], `${name}: no row is under the retired key`)
  }
})

// Promise (Sealed at rest): Nothing is refused because another process has retired a key, and nothing is written under it: accounts are
// found
t.test('an account is found although another process has retired the key', async (t) => {
  const world = await createWorld()
  await retireElsewhere(world)
  t.equal(world.deps.keyRing.activeKid(), 1, 'the keys were not read again yet')
  expectOk(await world.sotto.findAccount({ email }))
})
