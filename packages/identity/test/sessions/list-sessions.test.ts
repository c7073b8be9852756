import t from 'tap'
import { expectOk } from '@sotto/test-kit'
import { listSessions } from '../../src/sessions/sessions.ts'
import { all, awayAddress, email, minuteMicros, unknownId } from '../../../core/test/world.ts'
import { choosePassword, createWorld, goodPassword } from '../world.ts'

t.test('sessions are listed by creation, without their tokens, and not once they are over', async (t) => {
  const world = await createWorld()
  const { deps, sotto, accountId } = world
  const first = await choosePassword(world)
  deps.clock.advance(12 * 60 * minuteMicros - 1)
  const rest = []
  for (let nr = 0; nr < 2; nr += 1) {
    rest.push(expectOk(await sotto.signIn({ email, password: goodPassword, address: awayAddress })))
  }
  const { token: _, accountId: __, removedWebhookHosts: ___, mailed: ____, ...shown } = first
  t.strictSame(
    (await all(listSessions(deps, { accountId, pageSize: 2 }))).map(({ id }) => id).toSorted(),
    [first, ...rest].map(({ id }) => id).toSorted(),
  )
  t.strictSame((await all(listSessions(deps, { accountId })))[0], { ...shown, name: undefined })
  deps.clock.advance(1)
  t.equal((await all(listSessions(deps, { accountId, pageSize: 1 }))).length, 2)
  t.strictSame(await all(listSessions(deps, { accountId: unknownId })), [])
})
