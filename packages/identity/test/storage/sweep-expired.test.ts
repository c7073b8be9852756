import t from 'tap'
import { expectErr, expectOk, failing } from '@sotto/test-kit'
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

t.test('a storage error ends the sweep, that of the core included', async (t) => {
  const { deps } = await createWorld()
  const busy = { code: 'storage_unavailable', reason: 'busy' } as const
  for (const broken of [
    { secrets: failing(deps.secrets, { eraseExpired: busy }) },
    { sessions: failing(deps.sessions, { eraseOver: busy }) },
    { invitations: failing(deps.invitations, { eraseExpired: busy }) },
    { emailChanges: failing(deps.emailChanges, { eraseExpired: busy }) },
    { signIns: failing(deps.signIns, { eraseOver: busy }) },
    { usedTokens: failing(deps.usedTokens, { eraseOver: busy }) },
  ]) {
    t.strictSame(expectErr(await sweepExpired({ ...deps, ...broken })), busy)
  }
  t.strictSame(expectOk(await sweepExpired(deps, { shouldStop: () => true })), {
    secrets: 0,
    quotaBuckets: 0,
  })
})
