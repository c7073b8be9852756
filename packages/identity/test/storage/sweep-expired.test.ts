import t from 'tap'
import { expectErr, expectOk } from '@sotto/test-kit'
import { sweepExpired } from '../../src/storage/sweep-expired.ts'
import { dayMicros, homeAddress, minuteMicros, startMicros } from '../../../core/test/world.ts'
import { choosePassword, createWorld } from '../world.ts'

t.test('sessions and one-time links are erased when they are over, and not before', async (t) => {
  const world = await createWorld()
  const { deps, sotto } = world
  await choosePassword(world)
  expectOk(await sotto.inviteAccount({ email: 'ada@example.org' }))
  const rows = async () => {
    expectOk(await sweepExpired(deps))
    return [deps.data.sessions.size, deps.data.invitations.size]
  }
  deps.clock.set(startMicros + dayMicros / 2 - 1)
  t.strictSame(await rows(), [1, 1])
  deps.clock.advance(1)
  t.strictSame(await rows(), [0, 1])
  deps.clock.set(startMicros + 3 * dayMicros - 1)
  t.strictSame(await rows(), [0, 1])
  deps.clock.advance(1)
  t.strictSame(await rows(), [0, 0])
})

t.test('failed attempts to sign in are erased once they say nothing any more', async (t) => {
  const { deps, sotto } = await createWorld()
  const wrong = { email: 'ada@example.org', password: 'a wrong password', address: homeAddress }
  expectErr(await sotto.signIn(wrong))
  const buckets = async () => {
    expectOk(await sweepExpired(deps))
    return deps.data.signInAttempts.size
  }
  deps.clock.advance(10 * minuteMicros - 1)
  t.equal(await buckets(), 2)
  deps.clock.set(startMicros + 60 * minuteMicros - 1)
  t.equal(await buckets(), 1, 'that of the address')
  deps.clock.advance(1)
  t.equal(await buckets(), 0)
})
