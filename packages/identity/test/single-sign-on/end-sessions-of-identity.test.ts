import t from 'tap'
import { expectErr, expectOk } from '@sotto/test-kit'
import { endSessionsOfIdentity } from '../../src/single-sign-on/end-sessions-of-identity.ts'
import { all, inOtherProcess, minuteMicros, startMicros } from '../../../core/test/world.ts'
import { choosePassword, connect, createWorld, person, signInAs } from '../world.ts'

/** Sessions of one account: with a password, and at the provider in two sessions of one identity and in one of another. */
async function signedInWorld() {
  const world = await createWorld()
  const { deps, sotto, accountId } = world
  const signIn = async (who: Partial<typeof person>) => expectOk(await signInAs(world, who)).id
  const password = (await choosePassword(world)).id
  await connect(world)
  await connect(world, { subject: 'other' })
  const ids = {
    password,
    one: await signIn({ sessionId: 'one' }),
    two: await signIn({ sessionId: 'two' }),
    other: await signIn({ subject: 'other', sessionId: 'three' }),
  }
  const left = async () => {
    const sessions = (await all(sotto.listSessions({ accountId }))).map(({ id }) => id)
    return Object.entries(ids).flatMap(([name, id]) => (sessions.includes(id) ? [name] : []))
  }
  const times = { expiresAtMicros: startMicros + minuteMicros }
  const logOut = (
    logout: { readonly subject?: string; readonly sessionId?: string; readonly id: string },
    ports = deps,
  ) =>
    endSessionsOfIdentity(ports, { logoutToken: deps.identityProvider.logoutToken({ ...times, ...logout }) })
  return { world, left, logOut }
}

// Promise (Single sign-on): A logout at the provider ends the session that it names, or all of the identity
t.test('the session at the provider ends its session, the subject alone all of the identity', async (t) => {
  const { world, left, logOut } = await signedInWorld()
  t.strictSame(expectOk(await logOut({ id: '1', sessionId: 'one' })), { sessions: 1 })
  t.strictSame(await left(), ['password', 'two', 'other'])
  t.strictSame(expectOk(await logOut({ id: '2', subject: person.subject, sessionId: 'three' })), {
    sessions: 0,
  })
  t.strictSame(await left(), ['password', 'two', 'other'], 'the session of another subject stays')
  t.strictSame(expectOk(await logOut({ id: '3', subject: person.subject })), { sessions: 1 })
  t.strictSame(await left(), ['password', 'other'])
  t.strictSame(expectOk(await logOut({ id: '4', subject: 'unknown' })), { sessions: 0 })
  const other = inOtherProcess(world.deps)
  expectOk(await world.sotto.rotateKeys())
  expectOk(await world.sotto.retireKey({ kid: 1 }))
  const last = await logOut({ id: '5', subject: 'other', sessionId: 'three' }, other)
  t.strictSame(expectOk(last), { sessions: 1 }, 'by a process that has not read the new key')
  t.strictSame(await left(), ['password'])
})

// Promise (Single sign-on): A logout token counts once
t.test('a logout token counts once, and is remembered until five minutes after its end', async (t) => {
  const { world, left, logOut } = await signedInWorld()
  const { sotto, deps } = world
  expectOk(await logOut({ id: '1', subject: person.subject }))
  expectOk(await signInAs(world))
  t.strictSame(expectErr(await logOut({ id: '1', subject: person.subject })), {
    code: 'sso_refused',
    reason: 'used',
  })
  t.equal(deps.data.sessions.size, 3)
  t.strictSame(await left(), ['password', 'other'])
  for (const [micros, size] of [
    [6 * minuteMicros - 1, 1],
    [1, 0],
  ] as const) {
    deps.clock.advance(micros)
    expectOk(await sotto.sweepExpired())
    t.equal(deps.data.usedTokens.size, size)
  }
})

t.test('a token that proves nothing, or names nothing, ends nothing', async (t) => {
  const { world, left, logOut } = await signedInWorld()
  const { deps } = world
  t.strictSame(expectErr(await endSessionsOfIdentity(deps, { logoutToken: 'x' })), {
    code: 'sso_refused',
    reason: 'signature',
  })
  t.strictSame(expectErr(await logOut({ id: '1' })), { code: 'sso_refused', reason: 'malformed' })
  const without = await endSessionsOfIdentity({ ...deps, identityProvider: undefined }, { logoutToken: 'x' })
  t.strictSame(expectErr(without), { code: 'sso_refused', reason: 'not_set_up' })
  deps.identityProvider.setReachable(false)
  t.equal(expectErr(await logOut({ id: '2', subject: person.subject })).code, 'identity_provider_unreachable')
  t.equal((await left()).length, 4)
})
