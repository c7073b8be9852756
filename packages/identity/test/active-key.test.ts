import { expectOk } from '@sotto/test-kit'
import type { ResultAsync } from 'neverthrow'
import t from 'tap'
import { email, retireElsewhere } from '../../core/test/world.ts'
import { choosePassword, createWorld, goodPassword, type World } from './world.ts'

type Write = () => ResultAsync<unknown, unknown>

/** Prepares a write, which is made after the key was retired. */
const writes: Readonly<Record<string, (world: World) => Write | Promise<Write>>> = {
  changeEmail:
    ({ sotto, accountId }) =>
    () =>
      sotto.changeEmail({ accountId, email: 'b@example.org' }),
  choosePassword: async ({ sotto }) => {
    const { token } = expectOk(await sotto.inviteAccount({ email }))
    return () => sotto.choosePassword({ token, password: goodPassword, address: '192.0.2.1' })
  },
  createAccessToken:
    ({ sotto, accountId }) =>
    () =>
      sotto.createAccessToken({ accountId, name: 'x' }),
}

// Promise (Sealed at rest): Nothing is refused because another process has retired a key, and nothing is written under it: how people sign in
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

// Promise (Sealed at rest): Nothing is refused because another process has retired a key, and nothing is written under it: owners sign in
t.test('an owner may sign in although another process has retired the key', async (t) => {
  const world = await createWorld()
  await choosePassword(world)
  await retireElsewhere(world)
  t.equal(world.deps.keyRing.activeKid(), 1, 'the keys were not read again yet')
  expectOk(await world.sotto.signIn({ email, password: goodPassword, address: '192.0.2.1' }))
})
