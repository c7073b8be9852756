import t from 'tap'
import { createFakePasskey, expectErr, expectOk } from '@sotto/test-kit'
import { reauthenticationMicros } from '../../src/sessions/session.ts'
import { userHandleOf } from '../../src/passkeys/verify-passkey.ts'
import { addPasskey, relyingParty, usedAsProof, usedToSignIn } from '../passkeys.ts'
import { awayAddress, unknownId } from '../../../core/test/world.ts'
import { choosePassword, createWorld, goodPassword, type World } from '../world.ts'

const address = awayAddress

t.test(
  'a passkey that is deleted signs nobody in, and its sessions end, except the one that asks',
  async (t) => {
    const world = await createWorld()
    await choosePassword(world)
    const { id, passkey } = await addPasskey(world)
    const { sotto, accountId } = world
    const signIn = async () =>
      expectOk(await sotto.signInWithPasskey({ ...(await usedToSignIn(world, passkey)), address }))
    const [asking, other] = [await signIn(), await signIn()]
    expectOk(await sotto.deletePasskey({ accountId, id, sessionId: asking.id }))
    expectOk(await sotto.authenticateSession({ token: asking.token }))
    expectErr(await sotto.authenticateSession({ token: other.token }), 'session_invalid')
    const used = await usedToSignIn(world, passkey)
    const { reason } = expectErr(await sotto.signInWithPasskey({ ...used, address }), 'passkey_refused')
    t.equal(reason, 'unknown')
  },
)

// Promise (The owner's pages): The last way in is not taken away.
t.test('the last authenticator is refused: a password or another passkey has to be there', async () => {
  const world = await createWorld()
  const { sotto, accountId } = world
  const [one, other] = [await addPasskey(world), await addPasskey(world, { name: 'Key' })]
  const remove = (id: string) =>
    sotto.deletePasskey({ accountId, id, sessionId: unknownId, rpId: 'sotto.example' })
  expectOk(await remove(one.id))
  expectErr(await remove(other.id), 'last_way_in')
  await choosePassword(world)
  const third = await addPasskey(world, { name: 'Third' })
  expectOk(await remove(third.id))
})

t.test('an unknown, malformed or another account’s id is not found', async () => {
  const world = await createWorld()
  const { id } = await addPasskey(world)
  const other = expectOk(await world.sotto.createAccount({ email: 'bob@example.org' })).id
  for (const [accountId, each] of [
    [world.accountId, unknownId],
    [world.accountId, 'none'],
    [other, id],
  ] as const) {
    const input = { accountId, id: each, sessionId: unknownId }
    expectErr(await world.sotto.deletePasskey(input), 'passkey_not_found')
  }
})

t.test('a proof is asked of the passkeys for this host, and of nobody without one', async (t) => {
  const world = await createWorld()
  const begin = async (rpId: string) =>
    expectOk(await world.sotto.beginPasskeyProof({ accountId: world.accountId, sessionId: unknownId, rpId }))
  t.equal(await begin(relyingParty.id), undefined)
  const { passkey } = await addPasskey(world)
  t.strictSame((await begin(relyingParty.id))?.known, [passkey.credentialId])
  t.equal(await begin('other.example'), undefined)
})

// Promise (The owner's pages): A passkey is a fresh proof for everything that asks for one.
t.test('a passkey makes a session fresh, as the password does', async () => {
  const { world, proof, passkey, token } = await staleSession()
  const { sotto } = world
  expectErr(await sotto.ensureReauthentication(proof), 'proof_required')
  const used = await usedAsProof(world, passkey, proof.session)
  expectOk(await sotto.reauthenticateWithPasskey({ ...proof, passkey: used }))
  const { session } = expectOk(await sotto.authenticateSession({ token }))
  expectOk(await sotto.ensureReauthentication({ ...proof, session }))
  // An authenticator may also name the account.
  world.deps.clock.advance(reauthenticationMicros)
  const named = await usedAsProof(world, passkey, proof.session, {
    userHandle: userHandleOf(world.accountId),
  })
  expectOk(await sotto.reauthenticateWithPasskey({ ...proof, passkey: named }))
})

t.test('a passkey of another account, for another session or of the login page proves nothing', async (t) => {
  const { world, proof, passkey } = await staleSession()
  const { sotto } = world
  const bob = { ...world, accountId: expectOk(await sotto.createAccount({ email: 'bob@example.org' })).id }
  const bobs = await addPasskey(bob, { name: 'Bob’s' })
  const reasonOf = async (used: Awaited<ReturnType<typeof usedAsProof>>) =>
    expectErr(await sotto.reauthenticateWithPasskey({ ...proof, passkey: used }), 'passkey_refused').reason
  t.equal(await reasonOf(await usedAsProof(world, bobs.passkey, proof.session)), 'user_handle')
  const named = { userHandle: userHandleOf(world.accountId) }
  t.equal(await reasonOf(await usedAsProof(world, bobs.passkey, proof.session, named)), 'user_handle')
  t.equal(await reasonOf(await usedAsProof(world, passkey, { id: unknownId })), 'challenge')
  t.equal(await reasonOf(await usedToSignIn(world, passkey)), 'challenge')
  t.equal(
    await reasonOf(await usedAsProof(world, passkey, proof.session, { isUserVerified: false })),
    'user_unverified',
  )
  expectErr(await sotto.ensureReauthentication(proof), 'proof_required')
})

t.test('five failures lock the session, for passwords too', async () => {
  const { world, proof, passkey } = await staleSession()
  const { sotto } = world
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const used = await usedAsProof(world, createFakePasskey('unknown'), proof.session)
    expectErr(await sotto.reauthenticateWithPasskey({ ...proof, passkey: used }), 'passkey_refused')
  }
  const used = await usedAsProof(world, passkey, proof.session)
  expectErr(await sotto.reauthenticateWithPasskey({ ...proof, passkey: used }), 'sign_in_locked')
  expectErr(await sotto.ensureReauthentication({ ...proof, password: goodPassword }), 'sign_in_locked')
})

/** A session whose owner proved more than 10 minutes ago who they are. */
async function staleSession() {
  const world: World = await createWorld()
  const { token } = await choosePassword(world)
  const { passkey } = await addPasskey(world)
  const { session } = expectOk(await world.sotto.authenticateSession({ token }))
  world.deps.clock.advance(reauthenticationMicros)
  const proof = { accountId: world.accountId, session, address }
  return { world, passkey, proof, token }
}
