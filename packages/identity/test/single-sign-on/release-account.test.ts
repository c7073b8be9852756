import t from 'tap'
import { expectErr, expectOk } from '@sotto/test-kit'
import { reauthenticationMicros } from '../../src/sessions/session.ts'
import { addPasskey, relyingParty, usedAsProof, usedToSignIn } from '../passkeys.ts'
import { awayAddress as address, unknownId } from '../../../core/test/world.ts'
import {
  choosePassword,
  comeBack,
  createWorld,
  goodPassword as password,
  makeHeld,
  operatorsLink,
  signInAs,
  type World,
} from '../world.ts'

const refused = (accountId: string) => ({ code: 'identity_refused', reason: 'not_allowed', accountId })
const urlOf = (token: string): string => `https://sotto.example/welcome/${token}`

/** A held account whose owner has a password and a passkey, too, and the address that it has. */
async function heldWithAll() {
  const { world, accountId } = await makeHeld(await createWorld())
  const { email, token } = await operatorsLink(world, accountId)
  const session = expectOk(await world.sotto.choosePassword({ token, password, address }))
  const { passkey } = await addPasskey(world)
  return { world, accountId, email, session, passkey }
}

// Promise (Single sign-on): Whoever was let in by the provider signs in by the provider
t.test('passwords and passkeys of a held account prove who its owner is, and do not sign in', async (t) => {
  const { world, accountId, email, session, passkey } = await heldWithAll()
  const { sotto, deps } = world
  const held = { code: 'sign_in_held', accountId }
  const before = deps.data.sessions.size
  t.equal(before, 1, 'the operator’s link signs in once')
  t.strictSame(expectErr(await sotto.signIn({ email, password, address })), held)
  const wrong = { email, password: 'some other passphrase', address }
  t.strictSame(expectErr(await sotto.signIn(wrong)), { code: 'sign_in_wrong' }, 'nobody else learns it')
  const used = await usedToSignIn(world, passkey)
  t.strictSame(expectErr(await sotto.signInWithPasskey({ ...used, address })), held)
  t.equal(deps.data.sessions.size, before)

  deps.clock.advance(1)
  const old = { ...session, reauthenticatedAtMicros: deps.clock.nowMicros() - reauthenticationMicros }
  const proof = { accountId, session: old, address }
  expectOk(await sotto.ensureReauthentication({ ...proof, password }))
  const usedAgain = await usedAsProof(world, passkey, session)
  expectOk(await sotto.reauthenticateWithPasskey({ ...proof, passkey: usedAgain }))
})

// Promise (Single sign-on): Whoever is refused does not get back in: by a reset, a passkey, or another identity
t.test(
  'whoever is refused does not get in by what the account has, whatever the identity’s origin',
  async (t) => {
    const { world, accountId, email, session, passkey } = await heldWithAll()
    const { sotto, deps } = world
    // The link has removed the first identity: this one is connected.
    const connected = await sotto.connectIdentity({ accountId, ...(await comeBack(world)) })
    t.equal(expectOk(connected).origin, 'connected')
    expectOk(await signInAs(world), 'while the group is there')
    t.strictSame(expectErr(await signInAs(world, { groups: [] })), refused(accountId))
    t.equal((await sotto.authenticateSession({ token: session.token })).isOk(), false)

    const { mail } = expectOk(await sotto.requestReset({ email, address, urlOf }))
    expectOk(await mail())
    t.strictSame(
      deps.mailSender.attempts.filter(({ content }) => content.kind === 'invitation'),
      [],
    )
    t.equal(
      (await sotto.signInWithPasskey({ ...(await usedToSignIn(world, passkey)), address })).isOk(),
      false,
    )
    t.equal((await sotto.signIn({ email, password, address })).isOk(), false)

    const { token } = await operatorsLink(world, accountId)
    const taken = await sotto.takeInvitation({ ...(await comeBack(world, { groups: [] })), token, address })
    t.equal(expectOk(taken).accountId, accountId, 'the operator’s link signs in once')
    t.strictSame(expectErr(await signInAs(world, { groups: [] })), refused(accountId), 'and not twice')
  },
)

t.test('the identity of a held account cannot be disconnected: nothing else is a way in', async (t) => {
  const { world, accountId, session } = await heldWithAll()
  const { sotto } = world
  const { id } = expectOk(await sotto.connectIdentity({ accountId, ...(await comeBack(world)) }))
  const removal = { accountId, id, sessionId: session.id, rpId: relyingParty.id }
  t.strictSame(expectErr(await sotto.disconnectIdentity(removal)), { code: 'last_way_in' })
  expectOk(await sotto.releaseAccount({ accountId }))
  expectOk(await sotto.disconnectIdentity(removal))
})

t.test('a released account is an ordinary one', async (t) => {
  const { world, accountId, email, passkey } = await heldWithAll()
  const { sotto, deps } = world
  expectOk(await sotto.connectIdentity({ accountId, ...(await comeBack(world)) }))
  t.equal(expectOk(await sotto.getAccount({ accountId })).isHeld, true)
  expectOk(await sotto.releaseAccount({ accountId }))
  t.equal(expectOk(await sotto.getAccount({ accountId })).isHeld, false)
  expectOk(await signInAs(world, { groups: [] }))
  expectOk(await sotto.signIn({ email, password, address }))
  expectOk(await sotto.signInWithPasskey({ ...(await usedToSignIn(world, passkey)), address }))
  expectOk(await expectOk(await sotto.requestReset({ email, address, urlOf })).mail())
  t.match(deps.mailSender.attempts.at(-1), { content: { kind: 'invitation', invitation: 'reset' } })
  expectOk(await sotto.releaseAccount({ accountId }), 'again')
  t.strictSame(expectErr(await sotto.releaseAccount({ accountId: unknownId })), { code: 'account_not_found' })
})

t.test('an ordinary account whose owner connected an identity is not held', async (t) => {
  const world: World = await createWorld()
  await choosePassword(world)
  const { world: open } = await makeHeld(world, { subject: 'somebody else' })
  expectOk(await world.sotto.connectIdentity({ accountId: world.accountId, ...(await comeBack(world)) }))
  expectOk(await signInAs(open, { groups: [] }))
  t.equal(expectOk(await world.sotto.getAccount({ accountId: world.accountId })).isHeld, false)
})
