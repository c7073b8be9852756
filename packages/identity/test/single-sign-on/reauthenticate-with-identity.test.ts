import type { Uuid } from '@sotto/core'
import t from 'tap'
import { expectErr, expectOk } from '@sotto/test-kit'
import type { Session } from '../../src/sessions/session.ts'
import { reauthenticateWithIdentity } from '../../src/single-sign-on/reauthenticate-with-identity.ts'
import { awayAddress, dayMicros, minuteMicros, unknownId } from '../../../core/test/world.ts'
import { choosePassword, comeBack, connect, createWorld, signInAs, withSignIn, type World } from '../world.ts'

async function prove(world: World, sessionId: Uuid, who: Parameters<typeof comeBack>[1]) {
  const callback = await comeBack(world, who)
  return reauthenticateWithIdentity(world.deps, { accountId: world.accountId, sessionId, ...callback })
}

/** A session of the world's account that is not fresh any more. */
async function staleWorld(): Promise<{ readonly world: World; readonly session: Session }> {
  const world = await createWorld()
  const session = await choosePassword(world)
  await connect(world)
  world.deps.clock.advance(11 * minuteMicros)
  return { world, session }
}

function isFresh({ deps, sotto, accountId }: World, { id }: Session) {
  const session = deps.data.sessions.get(id)!.session
  return sotto.ensureReauthentication({ accountId, session, address: awayAddress })
}

// Promise (Single sign-on): A fresh proof at the provider is fresh only when the provider says when
t.test('a session is fresh again once its owner signed in at the provider just now', async (t) => {
  const { world, session } = await staleWorld()
  const now = world.deps.clock.nowMicros()
  t.strictSame(expectErr(await isFresh(world, session)), { code: 'proof_required' })
  for (const authenticatedAtMicros of [undefined, now - dayMicros, now + 2 * minuteMicros]) {
    const refused = await prove(world, session.id, { authenticatedAtMicros })
    t.strictSame(expectErr(refused), { code: 'sso_refused', reason: 'not_fresh' })
  }
  t.strictSame(expectErr(await isFresh(world, session)), { code: 'proof_required' })
  expectOk(await prove(world, session.id, { authenticatedAtMicros: now }))
  expectOk(await isFresh(world, session))
})

t.test('an identity that is not of the account proves nothing', async (t) => {
  const { world, session } = await staleWorld()
  const refused = { code: 'identity_refused', reason: 'unknown', accountId: world.accountId }
  const authenticatedAtMicros = world.deps.clock.nowMicros()
  const stranger = { subject: 'somebody else', authenticatedAtMicros }
  t.strictSame(expectErr(await prove(world, session.id, stranger)), refused)
  const bob = expectOk(await world.sotto.createAccount({ email: 'bob@example.org' }))
  await connect({ ...world, accountId: bob.id }, stranger)
  t.strictSame(expectErr(await prove(world, session.id, stranger)), refused)
  t.strictSame(expectErr(await prove(world, unknownId, { authenticatedAtMicros })), {
    code: 'session_not_found',
  })
})

t.test('a callback that proves nothing makes no session fresh', async (t) => {
  const { world, session } = await staleWorld()
  const authenticatedAtMicros = world.deps.clock.nowMicros()
  const { accountId } = world
  const callback = await comeBack(world, { authenticatedAtMicros })
  const mixed = { ...callback, pending: (await comeBack(world)).pending }
  const refused = reauthenticateWithIdentity(world.deps, { accountId, sessionId: session.id, ...mixed })
  t.strictSame(expectErr(await refused), { code: 'sso_refused', reason: 'state' })
  t.strictSame(expectErr(await isFresh(world, session)), { code: 'proof_required' })
})

t.test('one that is not allowed any more proves nothing, and all sessions end', async (t) => {
  const world = withSignIn(await createWorld(), { allowed: [{ kind: 'group', name: 'sotto-users' }] })
  const session = expectOk(await signInAs(world))
  const authenticatedAtMicros = world.deps.clock.nowMicros()
  const own = { ...world, accountId: session.accountId }
  expectOk(await prove(own, session.id, { authenticatedAtMicros }))
  const gone = expectErr(await prove(own, session.id, { authenticatedAtMicros, groups: [] }))
  t.match(gone, { code: 'identity_refused', reason: 'not_allowed' })
  t.equal(world.deps.data.sessions.size, 0)
})

t.test('details that decide are asked for, and without an answer nothing is proven', async (t) => {
  const world = withSignIn(await createWorld(), { allowed: [{ kind: 'group', name: 'sotto-users' }] })
  const session = expectOk(await signInAs(world))
  const { accountId } = session
  const authenticatedAtMicros = world.deps.clock.nowMicros()
  const terse = async () => ({
    ...(await comeBack(world, { authenticatedAtMicros }, { isTerse: true })),
    accountId,
    sessionId: session.id,
  })
  expectOk(await reauthenticateWithIdentity(world.deps, await terse()))
  t.equal(world.deps.identityProvider.askedForMore, 1)
  const { identityProvider } = world.deps
  const callback = await terse()
  const finish: typeof identityProvider.finish = (given) =>
    identityProvider.finish(given).map((proven) => {
      identityProvider.setReachable(false)
      return proven
    })
  const deps = { ...world.deps, identityProvider: { ...identityProvider, finish } }
  expectErr(await reauthenticateWithIdentity(deps, callback), 'identity_provider_unreachable')
  t.equal(world.deps.data.sessions.size, 1, 'the session goes on')
})
