import t from 'tap'
import { createFakePasskey, expectErr, expectOk } from '@sotto/test-kit'
import { sessionsMax } from '../../src/sessions/session.ts'
import { signInWithPasskey } from '../../src/passkeys/sign-in-with-passkey.ts'
import { userHandleOf } from '../../src/passkeys/verify-passkey.ts'
import { addPasskey, relyingParty, usedToSignIn } from '../passkeys.ts'
import { awayAddress, email, minuteMicros, recording, unknownId } from '../../../core/test/world.ts'
import { choosePassword, createWorld, type World } from '../world.ts'

const address = awayAddress

t.test('a passkey signs in to the account that it was added to', async (t) => {
  const world = await createWorld()
  const { id, passkey } = await addPasskey(world)
  world.deps.clock.advance(minuteMicros)
  const used = await usedToSignIn(world, passkey)
  const { token, accountId, passkeyId } = expectOk(await world.sotto.signInWithPasskey({ ...used, address }))
  t.strictSame([accountId, passkeyId], [world.accountId, id])
  const { caller, session } = expectOk(await world.sotto.authenticateSession({ token }))
  t.equal(caller.accountId, world.accountId)
  t.equal(session.reauthenticatedAtMicros, world.deps.clock.nowMicros(), 'and is a fresh proof')
  const { items } = expectOk(await world.sotto.listPasskeys({ accountId }))
  t.equal(items[0]?.lastUsedAtMicros, world.deps.clock.nowMicros())
})

// Promise (The owner's pages): Nobody is signed in by a passkey about which anything is wrong.
t.test('each thing that is wrong is refused, and says to the operator what', async (t) => {
  const world = await createWorld()
  const { passkey } = await addPasskey(world, { signCount: 7 })
  const other = createFakePasskey('another')
  const right = () => usedToSignIn(world, passkey, { signCount: 8 })
  const proof = expectOk(
    await world.sotto.beginPasskeyProof({
      accountId: world.accountId,
      sessionId: unknownId,
      rpId: relyingParty.id,
    }),
  )
  const changes: Readonly<Record<string, () => Promise<Awaited<ReturnType<typeof right>>>>> = {
    malformed: async () => ({
      ...(await right()),
      assertion: { ...(await right()).assertion, clientData: 'x' },
    }),
    type: () => usedToSignIn(world, passkey, { signCount: 8, type: 'webauthn.create' }),
    challenge: () => usedToSignIn(world, passkey, { signCount: 8, challenge: proof?.challenge ?? '' }),
    origin: () => usedToSignIn(world, passkey, { signCount: 8, origin: 'https://sotto.example.org' }),
    cross_origin: () => usedToSignIn(world, passkey, { signCount: 8, crossOrigin: true }),
    relying_party: () => usedToSignIn(world, passkey, { signCount: 8, rpId: 'example' }),
    user_absent: () => usedToSignIn(world, passkey, { signCount: 8, isUserPresent: false }),
    user_unverified: () => usedToSignIn(world, passkey, { signCount: 8, isUserVerified: false }),
    backup_flags: () => usedToSignIn(world, passkey, { signCount: 8, isBackedUp: true }),
    unknown: () => usedToSignIn(world, other, { signCount: 8 }),
    user_handle: () => usedToSignIn(world, passkey, { signCount: 8, userHandle: userHandleOf(unknownId) }),
    async signature() {
      const { signature } = (await usedToSignIn(world, other)).assertion
      return { relyingParty, assertion: { ...(await right()).assertion, signature } }
    },
    counter: () => usedToSignIn(world, passkey, { signCount: 7 }),
  }
  const before = world.deps.data.sessions.size
  for (const [reason, change] of Object.entries(changes)) {
    const refused = expectErr(await world.sotto.signInWithPasskey({ ...(await change()), address: reason }))
    t.match(refused, { code: 'passkey_refused', reason })
  }
  t.equal(world.deps.data.sessions.size, before)
  expectOk(await world.sotto.signInWithPasskey({ ...(await right()), address }))
})

t.test('an authenticator has to name the account', async (t) => {
  const world = await createWorld()
  const { passkey } = await addPasskey(world)
  const used = await usedToSignIn(world, passkey, { userHandle: '' })
  const { reason } = expectErr(await world.sotto.signInWithPasskey({ ...used, address }), 'passkey_refused')
  t.equal(reason, 'user_handle')
})

t.test('what was sent once is refused when it is sent again', async (t) => {
  const world = await createWorld()
  const { passkey } = await addPasskey(world)
  const used = await usedToSignIn(world, passkey)
  const both = await Promise.all([
    world.sotto.signInWithPasskey({ ...used, address }),
    world.sotto.signInWithPasskey({ ...used, address }),
  ])
  t.equal(both.filter((each) => each.isOk()).length, 1)
  const { reason } = expectErr(await world.sotto.signInWithPasskey({ ...used, address }), 'passkey_refused')
  t.equal(reason, 'challenge_used')
})

t.test('of two uses with one counter one is refused, at whatever moment they come', async (t) => {
  const world = await createWorld()
  const { passkey } = await addPasskey(world, { signCount: 1 })
  const used = await Promise.all([2, 2].map((signCount) => usedToSignIn(world, passkey, { signCount })))
  const both = await Promise.all(used.map((each) => world.sotto.signInWithPasskey({ ...each, address })))
  t.equal(both.filter((each) => each.isOk()).length, 1)
  // The store refuses what came between the reading and the recording.
  const { passkeys } = world.deps
  const late = {
    ...world.deps,
    passkeys: { ...passkeys, recordUse: () => passkeys.recordUse(unknownId, 3, 0) },
  }
  const next = await usedToSignIn(world, passkey, { signCount: 3 })
  const { reason } = expectErr(await signInWithPasskey(late, { ...next, address }), 'passkey_refused')
  t.equal(reason, 'counter')
})

t.test('a disabled account is refused, as is one whose passkey was deleted meanwhile', async (t) => {
  const world = await createWorld()
  await choosePassword(world)
  const { id, passkey } = await addPasskey(world)
  const { accountId, sotto } = world
  const used = await usedToSignIn(world, passkey)
  const { passkeys } = world.deps
  const erasing: typeof passkeys.recordUse = (...args) =>
    passkeys.recordUse(...args).andThen((isThere) =>
      sotto
        .deletePasskey({ accountId, id, sessionId: unknownId })
        .map(() => isThere)
        .mapErr(() => ({ code: 'storage_failed', detail: 'not deleted' }) as const),
    )
  const deps = { ...world.deps, passkeys: { ...passkeys, recordUse: erasing } }
  t.match(expectErr(await signInWithPasskey(deps, { ...used, address })), { reason: 'unknown', accountId })

  const another = await addPasskey(world, { name: 'Key' })
  const later = await usedToSignIn(world, another.passkey)
  expectOk(await sotto.disableAccount({ accountId }))
  const refused = expectErr(await sotto.signInWithPasskey({ ...later, address }))
  t.match(refused, { code: 'passkey_refused', reason: 'account_disabled', accountId })
})

// Promise (The owner's pages): Failed passkeys count for the address, as failed passwords do.
t.test('twenty failures from an address lock it, and a page that was open too long is none', async (t) => {
  const world = await createWorld()
  const { passkey } = await addPasskey(world)
  const stale = await usedToSignIn(world, passkey)
  world.deps.clock.advance(10 * minuteMicros)
  for (let attempt = 0; attempt < 30; attempt += 1) {
    const refused = expectErr(await world.sotto.signInWithPasskey({ ...stale, address }), 'passkey_refused')
    t.equal(refused.reason, 'challenge')
  }
  await fail(world, 19)
  expectOk(await world.sotto.signInWithPasskey({ ...(await usedToSignIn(world, passkey)), address }))
  await fail(world, 1)
  const right = await usedToSignIn(world, passkey)
  expectErr(await world.sotto.signInWithPasskey({ ...right, address }), 'sign_in_locked')
  expectErr(await world.sotto.signIn({ email, password: 'whatever it is', address }), 'sign_in_locked')
  expectOk(await world.sotto.signInWithPasskey({ ...(await usedToSignIn(world, passkey)), address: 'other' }))
})

async function fail(world: World, times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    const used = await usedToSignIn(world, createFakePasskey('unknown'))
    expectErr(await world.sotto.signInWithPasskey({ ...used, address }), 'passkey_refused')
  }
}

t.test('its address is known from then on, and the oldest sessions end', async (t) => {
  const world = await createWorld()
  const { passkey } = await addPasskey(world)
  const { deps, calls } = recording(world.deps, ['signIns'])
  expectOk(await signInWithPasskey(deps, { ...(await usedToSignIn(world, passkey)), address }))
  t.equal(calls.at(-1), 'signIns.rememberAddress')
  for (let time = 0; time < sessionsMax; time += 1) {
    expectOk(await world.sotto.signInWithPasskey({ ...(await usedToSignIn(world, passkey)), address }))
  }
  t.equal(world.deps.data.sessions.size, sessionsMax)
})

t.test('nothing is looked up for a challenge that is none of ours', async (t) => {
  const world = await createWorld()
  const { passkey } = await addPasskey(world)
  const { deps, calls } = recording(world.deps, ['passkeys', 'usedTokens'])
  const used = await usedToSignIn(world, passkey, { challenge: 'AAAA' })
  expectErr(await signInWithPasskey(deps, { ...used, address }), 'passkey_refused')
  t.strictSame(calls, [])
})
