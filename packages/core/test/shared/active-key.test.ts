import type { ResultAsync } from 'neverthrow'
import t from 'tap'
import { expectOk } from '@sotto/test-kit'
import { retireKey } from '../../src/keys/keys.ts'
import { rotateKeys } from '../../src/keys/rotate-keys.ts'
import {
  choosePassword,
  createWorld,
  email,
  goodPassword,
  newSecret,
  inOtherProcess,
  webhookUrl,
  type World,
} from '../world.ts'

/** Another process puts every row under a new key and retires the old one. This process has read the keys before. */
async function retireElsewhere({ deps }: World): Promise<void> {
  const other = inOtherProcess(deps)
  const { kid } = expectOk(await rotateKeys(other))
  expectOk(await retireKey(other, { kid: kid - 1 }))
}

type Write = () => ResultAsync<unknown, unknown>

/** Prepares a write, which is made after the key was retired. */
const writes: Readonly<Record<string, (world: World) => Write | Promise<Write>>> = {
  createAccount:
    ({ sotto }) =>
    () =>
      sotto.createAccount({ email: 'bob@example.org' }),
  changeEmail:
    ({ sotto, accountId }) =>
    () =>
      sotto.changeEmail({ accountId, email: 'b@example.org' }),
  choosePassword: async ({ sotto }) => {
    const { token } = expectOk(await sotto.inviteAccount({ email }))
    return () => sotto.choosePassword({ token, password: goodPassword, address: '192.0.2.1' })
  },
  createFolder:
    ({ sotto, accountId }) =>
    () =>
      sotto.createFolder({ accountId, label: 'Second' }),
  renameFolder:
    ({ sotto, accountId, folderId }) =>
    () =>
      sotto.renameFolder({ accountId, id: folderId, label: 'x' }),
  createAccessToken:
    ({ sotto, accountId }) =>
    () =>
      sotto.createAccessToken({ accountId, name: 'x' }),
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
t.test('an account is found and may sign in although another process has retired the key', async (t) => {
  for (const use of ['findAccount', 'signIn'] as const) {
    const world = await createWorld()
    await choosePassword(world)
    await retireElsewhere(world)
    t.equal(world.deps.keyRing.activeKid(), 1, 'the keys were not read again yet')
    const input = { email, password: goodPassword, address: '192.0.2.1' }
    const { findAccount, signIn } = world.sotto
    expectOk<unknown, unknown>(await (use === 'signIn' ? signIn(input) : findAccount({ email })))
  }
})
