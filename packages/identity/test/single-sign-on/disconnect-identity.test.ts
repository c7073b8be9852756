import t from 'tap'
import { expectErr, expectOk } from '@sotto/test-kit'
import { showAuthenticators } from '../../src/authenticators/account-authenticators.ts'
import { disconnectIdentity, removeIdentity } from '../../src/single-sign-on/identities.ts'
import { corruptIdentity } from '../corruption.ts'
import { all, unknownId } from '../../../core/test/world.ts'
import { addPasskey, choosePassword, connect, createWorld, signInAs, withSignIn } from '../world.ts'

const lastAuthenticator = { code: 'last_way_in' }

t.test('the authenticators of an account are shown', async (t) => {
  const world = await createWorld()
  const { deps, accountId } = world
  const nothing = { hasPassword: false, identities: { items: [], corrupted: [] }, passkeys: 0 }
  const none = { ...nothing, isHeld: false }
  t.strictSame(expectOk(await showAuthenticators(deps, { accountId })), none)
  await choosePassword(world)
  const id = await connect(world)
  await addPasskey(world)
  const shown = expectOk(await showAuthenticators(deps, { accountId }))
  t.match(shown, { hasPassword: true, passkeys: 1, identities: { items: [{ id }] } })
  t.match(expectOk(await world.sotto.listPasskeys({ accountId })).items, [
    { name: 'laptop', rpId: 'sotto.example' },
  ])
})

// Promise (Single sign-on): The last way in cannot be disconnected
t.test('an identity is disconnected while there is another authenticator', async (t) => {
  const world = await createWorld()
  const { deps, accountId } = world
  const [one, two] = [await connect(world, { subject: 'one' }), await connect(world, { subject: 'two' })]
  const kept = expectOk(await signInAs(world, { subject: 'one' }))
  const disconnect = (id: string, of = world) =>
    disconnectIdentity(of.deps, { accountId, id, sessionId: kept.id, rpId: 'sotto.example' })
  const other = expectOk(await signInAs(world, { subject: 'one' }))
  expectOk(await disconnect(one))
  const sessions = (await all(world.sotto.listSessions({ accountId }))).map(({ id }) => id)
  t.strictSame([sessions.includes(kept.id), sessions.includes(other.id)], [true, false])
  t.strictSame(expectErr(await disconnect(two)), lastAuthenticator)
  await addPasskey(world)
  expectOk(await disconnect(two))
  t.strictSame(expectErr(await disconnect(two)), { code: 'identity_not_found' })
  for (const id of [unknownId, 'x'])
    t.strictSame(expectErr(await disconnect(id)), { code: 'identity_not_found' })
  t.equal(deps.data.identities.size, 0)
})

t.test('a password counts where people sign in with one, an identity of the provider there is', async (t) => {
  const world = await createWorld()
  const { accountId } = world
  const { id: sessionId } = await choosePassword(world)
  const one = await connect(world)
  const passwordsOff = withSignIn(world, { passwords: false })
  t.strictSame(
    expectErr(await disconnectIdentity(passwordsOff.deps, { accountId, id: one, sessionId })),
    lastAuthenticator,
  )
  const two = await connect(world, { subject: 'two' })
  const elsewhere = { ...passwordsOff.deps, identityProvider: { issuer: 'https://other.example' } }
  t.strictSame(
    expectErr(await disconnectIdentity(elsewhere, { accountId, id: two, sessionId })),
    lastAuthenticator,
  )
  expectOk(await disconnectIdentity(passwordsOff.deps, { accountId, id: two, sessionId }))
  expectOk(await disconnectIdentity(world.deps, { accountId, id: one, sessionId }))
})

// Promise (Passkeys): A passkey of another host does not count as a way in
t.test(
  'a passkey of another host is no way in, when an identity or the last one of here is removed',
  async (t) => {
    const world = await createWorld()
    const { accountId } = world
    const id = await connect(world)
    await addPasskey(world)
    const removal = { accountId, id, sessionId: unknownId }
    for (const rpId of ['moved.example', undefined])
      t.strictSame(expectErr(await disconnectIdentity(world.deps, { ...removal, rpId })), lastAuthenticator)
    expectOk(await disconnectIdentity(world.deps, { ...removal, rpId: 'sotto.example' }))
    const last = await addPasskey(world, 'phone')
    const onMoved = { accountId, id: last, sessionId: unknownId, rpId: 'moved.example' }
    t.strictSame(expectErr(await world.sotto.deletePasskey(onMoved)), lastAuthenticator)
    expectOk(await world.sotto.deletePasskey({ ...onMoved, rpId: 'sotto.example' }))
  },
)

t.test('an identity that does not decrypt is no way in', async (t) => {
  const world = await createWorld()
  const { accountId } = world
  const [one, two] = [await connect(world, { subject: 'one' }), await connect(world, { subject: 'two' })]
  corruptIdentity(world, two)
  const disconnect = (id: string) => disconnectIdentity(world.deps, { accountId, id, sessionId: unknownId })
  t.strictSame(expectErr(await disconnect(one)), lastAuthenticator)
  expectOk(await disconnect(two))
})

t.test('of two that disconnect the last two authenticators one is refused', async (t) => {
  const world = await createWorld()
  const { accountId } = world
  const ids = [await connect(world, { subject: 'one' }), await connect(world, { subject: 'two' })]
  const done = await Promise.all(
    ids.map((id) => disconnectIdentity(world.deps, { accountId, id, sessionId: unknownId })),
  )
  t.strictSame(
    done.map((each) => each.isOk()),
    [true, false],
  )
})

t.test(
  'the operator takes the last authenticator, too, and all sessions that were begun with it end',
  async (t) => {
    const world = await createWorld()
    const { deps, sotto, accountId } = world
    const id = await connect(world)
    expectOk(await signInAs(world))
    const bob = expectOk(await sotto.createAccount({ email: 'bob@example.org' }))
    t.strictSame(expectErr(await removeIdentity(deps, { accountId: bob.id, id })), {
      code: 'identity_not_found',
    })
    expectOk(await removeIdentity(deps, { accountId, id }))
    t.equal(deps.data.sessions.size, 0)
  },
)
