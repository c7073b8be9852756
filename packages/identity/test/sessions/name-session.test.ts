import t from 'tap'
import { expectErr, expectOk } from '@sotto/test-kit'
import { nameSession } from '../../src/sessions/sessions.ts'
import { corruptSessionName } from '../corruption.ts'
import { all, unknownId } from '../../../core/test/world.ts'
import { choosePassword, createWorld } from '../world.ts'

t.test('a session has the name that its owner gave it last, also under another key', async (t) => {
  const world = await createWorld()
  const { deps, sotto } = world
  const { accountId, id } = await choosePassword(world)
  const names = async () => (await all(sotto.listSessions({ accountId }))).map(({ name }) => name)
  t.strictSame(await names(), [undefined])
  for (const name of ['laptop', ' the other laptop '])
    expectOk(await nameSession(deps, { accountId, id, name }))
  t.strictSame(await names(), ['the other laptop'])
  expectOk(await sotto.rotateKeys())
  expectOk(await sotto.retireKey({ kid: 1 }))
  t.strictSame(await names(), ['the other laptop'])
  corruptSessionName(world, id)
  t.strictSame(await names(), [undefined], 'a name that does not decrypt')
})

t.test('invalid names are refused, and unknown sessions and those of others', async (t) => {
  const world = await createWorld()
  const { accountId, id } = await choosePassword(world)
  for (const [name, rule] of [
    ['', 'empty'],
    ['x'.repeat(61), 'too_long'],
    ['a\u202eb', 'invisible_character'],
  ] as const) {
    const error = expectErr(await nameSession(world.deps, { accountId, id, name }))
    t.match(error, { code: 'fields_invalid', errors: [{ field: 'name', rule }] })
  }
  for (const input of [
    { accountId, id: unknownId },
    { accountId, id: 'nonsense' },
    { accountId: unknownId, id },
  ]) {
    const error = expectErr(await nameSession(world.deps, { ...input, name: 'laptop' }))
    t.strictSame(error, { code: 'session_not_found' })
  }
})
