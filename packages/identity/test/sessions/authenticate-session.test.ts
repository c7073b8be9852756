import t from 'tap'
import { expectErr, expectOk } from '@sotto/test-kit'
import { authenticateSession } from '../../src/sessions/authenticate-session.ts'
import { counting, dayMicros, minuteMicros, startMicros } from '../../../core/test/world.ts'
import { choosePassword, createWorld } from '../world.ts'

const hourMicros = 60 * minuteMicros
const invalid = { code: 'session_invalid' }

t.test(
  'a session is its account’s, with every scope, and names the language and whether it notifies',
  async (t) => {
    const world = await createWorld()
    const { token, id, accountId } = await choosePassword(world)
    expectOk(await world.sotto.setLanguage({ accountId, language: 'ja' }))
    expectOk(await world.sotto.rememberNotify({ accountId, notify: true }))
    const session = {
      id,
      createdAtMicros: startMicros,
      reauthenticatedAtMicros: startMicros,
      lastUsedAtMicros: startMicros,
    }
    t.strictSame(expectOk(await authenticateSession(world.deps, { token })), {
      caller: { accountId, via: { kind: 'session', id }, scopes: ['read', 'write'] },
      session,
      language: 'ja',
      notifies: true,
      nowMicros: startMicros,
    })
  },
)

// Promise (The owner's pages): Sessions end after 12 hours without use
t.test('a session ends after 12 hours without use', async (t) => {
  const world = await createWorld()
  const { token } = await choosePassword(world)
  for (let times = 0; times < 3; times += 1) {
    world.deps.clock.advance(12 * hourMicros - 1)
    t.ok(expectOk(await authenticateSession(world.deps, { token })), 'each use prolongs it')
  }
  world.deps.clock.advance(12 * hourMicros)
  t.strictSame(expectErr(await authenticateSession(world.deps, { token })), invalid)
})

// Promise (The owner's pages): Sessions end after 12 hours without use: and after 14 days
t.test('a session ends after 14 days, however much it is used', async (t) => {
  const world = await createWorld()
  const { token } = await choosePassword(world)
  for (let times = 0; times < 28; times += 1) {
    expectOk(await authenticateSession(world.deps, { token }))
    world.deps.clock.advance(12 * hourMicros - 1)
  }
  expectOk(await authenticateSession(world.deps, { token }))
  world.deps.clock.set(startMicros + 14 * dayMicros - 1)
  expectOk(await authenticateSession(world.deps, { token }))
  world.deps.clock.advance(1)
  t.strictSame(expectErr(await authenticateSession(world.deps, { token })), invalid)
})

t.test('its last use is recorded once a minute, also after the clock was set back', async (t) => {
  const world = await createWorld()
  const { token } = await choosePassword(world)
  const { port: sessions, calls } = counting(world.deps.sessions)
  const use = async () => expectOk(await authenticateSession({ ...world.deps, sessions }, { token }))
  world.deps.clock.advance(minuteMicros - 1)
  await use()
  t.equal(calls['recordUse'], undefined)
  world.deps.clock.advance(1)
  await use()
  t.equal(calls['recordUse'], 1)
  world.deps.clock.set(startMicros - dayMicros)
  await use()
  t.equal(calls['recordUse'], 2)
  t.equal((await use()).session.lastUsedAtMicros, startMicros - dayMicros)
})

t.test(
  'malformed and unknown tokens, those of one-time links and disabled accounts are invalid',
  async (t) => {
    const world = await createWorld()
    const { token } = await choosePassword(world)
    const invitation = expectOk(await world.sotto.inviteAccount({ email: 'ada@example.org' }))
    for (const other of ['', 'x', `${token}A`, 'A'.repeat(43), invitation.token]) {
      t.strictSame(expectErr(await authenticateSession(world.deps, { token: other })), invalid)
    }
    expectOk(await world.sotto.disableAccount({ accountId: world.accountId }))
    t.strictSame(expectErr(await authenticateSession(world.deps, { token })), invalid)
  },
)
