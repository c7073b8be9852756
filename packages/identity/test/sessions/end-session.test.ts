import t from 'tap'
import { expectErr, expectOk } from '@sotto/test-kit'
import { endSession } from '../../src/sessions/sessions.ts'
import { unknownId } from '../../../core/test/world.ts'
import { choosePassword, createWorld } from '../world.ts'

t.test('a session that was ended signs nobody in any more', async (t) => {
  const world = await createWorld()
  const { token, id, accountId } = await choosePassword(world)
  for (const input of [
    { accountId, id: unknownId },
    { accountId, id: 'x' },
    { accountId: unknownId, id },
  ]) {
    t.strictSame(expectErr(await endSession(world.deps, input)), { code: 'session_not_found' })
  }
  expectOk(await world.sotto.authenticateSession({ token }))
  expectOk(await endSession(world.deps, { accountId, id: id.toUpperCase() }))
  t.strictSame(expectErr(await world.sotto.authenticateSession({ token })), { code: 'session_invalid' })
  t.strictSame(expectErr(await endSession(world.deps, { accountId, id })), { code: 'session_not_found' })
})
