import t from 'tap'
import { expectErr, expectOk, failing } from '@sotto/test-kit'
import { errAsync } from 'neverthrow'
import { signInWithIdentity } from '../../src/single-sign-on/sign-in-with-identity.ts'
import type { AllowedIdentities } from '../../src/sessions/sign-in-policy.ts'
import { all, awayAddress, dayMicros, email, minuteMicros, startMicros } from '../../../core/test/world.ts'
import { choosePassword, comeBack, connect, createWorld, person, withSignIn, type World } from '../world.ts'

const address = awayAddress
const group: AllowedIdentities = { kind: 'group', name: 'sotto-users' }

async function signIn(world: World, who: Partial<typeof person> = {}) {
  return signInWithIdentity(world.deps, { ...(await comeBack(world, who)), address })
}

/** A world in which members of a group get accounts, and the account of one. */
async function allowedWorld() {
  const world = withSignIn(await createWorld(), { allowed: [group] })
  return { world, made: expectOk(await signIn(world)) }
}

// Promise (Single sign-on): An identity that its owner connected signs in
t.test('a connected identity signs in, whatever its address', async (t) => {
  const world = await createWorld()
  const identityId = await connect(world)
  const session = expectOk(await signIn(world, { email: 'somebody@else.example', groups: [] }))
  t.match(session, { accountId: world.accountId, identityId, isNewAccount: false })
  t.equal(
    expectOk(await world.sotto.authenticateSession({ token: session.token })).caller.accountId,
    world.accountId,
  )
  t.match(world.deps.data.knownAddresses, [{ accountId: world.accountId }])
  const [shown] = expectOk(await world.sotto.listIdentities({ accountId: world.accountId })).items
  t.match(shown, { id: identityId, origin: 'connected', lastUsedAtMicros: startMicros })
})

// Promise (Single sign-on): Accounts are never linked by email address
t.test('an identity with the address of an account does not get into it', async (t) => {
  const world = await createWorld()
  const refused = { code: 'identity_refused', reason: 'unknown' }
  t.strictSame(expectErr(await signIn(world, { email })), refused)
  const open = withSignIn(world, { allowed: [group] })
  t.strictSame(expectErr(await signIn(open, { email })), { ...refused, reason: 'address_taken' })
  t.strictSame(expectErr(await signIn(open, { emailVerified: false })), { ...refused, reason: 'unverified' })
  t.equal(world.deps.data.identities.size, 0)
  t.equal(world.deps.data.accounts.size, 1)
})

// Promise (Single sign-on): Somebody whom the operator allows gets an account with the folder "Inbox"
t.test('an unknown identity that is allowed gets an account of its own, once', async (t) => {
  const { world, made } = await allowedWorld()
  const { sotto } = world
  t.equal(made.isNewAccount, true)
  t.equal(expectOk(await sotto.getAccount({ accountId: made.accountId })).email, 'grace@example.org')
  const folders = await all(sotto.listFolders({ accountId: made.accountId }))
  t.strictSame(
    folders.map(({ label }) => label),
    ['Inbox'],
  )
  const again = expectOk(await signIn(world, { email: 'married@example.org' }))
  t.match(again, { accountId: made.accountId, isNewAccount: false })
  t.equal((await all(sotto.listFolders({ accountId: made.accountId }))).length, 1)
  expectOk(await sotto.deleteFolder({ accountId: made.accountId, id: folders[0]!.id }))
  expectOk(await signIn(world))
  t.strictSame(await all(sotto.listFolders({ accountId: made.accountId })), [], 'a folder that was deleted')
})

t.test('of sign-ins of one person at the same time all get into one account', async (t) => {
  const world = withSignIn(await createWorld(), { allowed: [group] })
  const sessions = await Promise.all(Array.from({ length: 5 }, () => signIn(world)))
  t.equal(new Set(sessions.map((each) => expectOk(each).accountId)).size, 1)
  t.equal(world.deps.data.identities.size, 1)
})

t.test('an account that cannot be looked up or made is the error of the storage', async (t) => {
  const world = withSignIn(await createWorld(), { allowed: [group] })
  const { identities, accounts, folders } = world.deps
  const busy = { code: 'storage_unavailable', reason: 'busy' } as const
  const full = { code: 'storage_unavailable', reason: 'full' } as const
  const taken = { code: 'identity_taken' } as const
  const answering = (...errors: (typeof busy | typeof full | typeof taken)[]) => {
    const insertAccount = () => errAsync(errors.shift() ?? taken)
    return signIn({ ...world, deps: { ...world.deps, identities: { ...identities, insertAccount } } })
  }
  t.strictSame(expectErr(await answering(full)), full)
  t.strictSame(expectErr(await answering(taken, full)), full, 'at the second time')
  t.strictSame(expectErr(await answering(taken, taken)), busy, 'others are faster again and again')
  const lost = { ...world.deps, accounts: failing(accounts, { findByName: full }) }
  t.strictSame(expectErr(await signIn({ ...world, deps: lost })), full)
  t.equal(world.deps.data.identities.size, 0)
  const gone = { ...world.deps, folders: failing(folders, { insert: { code: 'account_not_found' } }) }
  const refused = expectErr(await signIn({ ...world, deps: gone }), 'identity_refused')
  t.equal(refused.reason, 'account_disabled', 'it was deleted meanwhile')
})

t.test('a folder that could not be made is made at the next sign-in', async (t) => {
  const world = withSignIn(await createWorld(), { allowed: [group] })
  const busy = { code: 'storage_unavailable', reason: 'busy' } as const
  const folders = failing(world.deps.folders, { insert: busy })
  t.strictSame(expectErr(await signIn({ ...world, deps: { ...world.deps, folders } })), busy)
  const { accountId } = expectOk(await signIn(world))
  t.equal((await all(world.sotto.listFolders({ accountId }))).length, 1)
})

// Promise (Single sign-on): Groups are looked at again at every sign-in; sessions end, access tokens stay
t.test('whoever is not allowed any more is refused, all sessions end, and access tokens stay', async (t) => {
  const { world, made } = await allowedWorld()
  const { sotto, deps } = world
  const { accountId } = made
  const token = expectOk(await sotto.createAccessToken({ accountId, name: 'ci' }))
  const full = { code: 'storage_unavailable', reason: 'full' } as const
  const identities = failing(deps.identities, { refuse: full })
  const unrefused = await signIn({ ...world, deps: { ...deps, identities } }, { groups: [] })
  t.strictSame(expectErr(unrefused), full, 'it is said that the sessions have not ended')
  const refused = expectErr(await signIn(world, { groups: [] }))
  t.strictSame(refused, { code: 'identity_refused', reason: 'not_allowed', accountId })
  t.strictSame(expectErr(await sotto.authenticateSession({ token: made.token })), { code: 'session_invalid' })
  expectOk(await sotto.authenticate({ token: token.token }))
  t.equal([...deps.data.identities.values()][0]?.identity.refusedAtMicros, startMicros)
  for (const allowed of [[], [{ kind: 'domain', domain: 'other.example' } as const]]) {
    const narrowed = withSignIn(world, { allowed })
    t.equal(expectErr(await signIn(narrowed)).code, 'identity_refused', 'also when the setting was changed')
  }
  expectOk(await signIn(world))
  t.equal([...deps.data.identities.values()][0]?.identity.refusedAtMicros, undefined, 'allowed again')
})

t.test('a disabled account is refused, and its sessions stay as they are', async (t) => {
  const world = await createWorld()
  await connect(world)
  expectOk(await world.sotto.disableAccount({ accountId: world.accountId }))
  const refused = { code: 'identity_refused', reason: 'account_disabled', accountId: world.accountId }
  t.strictSame(expectErr(await signIn(world)), refused)
})

t.test('an identity that was disconnected just now does not get in', async (t) => {
  const world = await createWorld()
  await choosePassword(world)
  const id = await connect(world)
  const { identities } = world.deps
  const find: typeof identities.find = (indexes) => {
    const found = identities.find(indexes)
    return found.andThen((known) =>
      world.sotto.removeIdentity({ accountId: world.accountId, id }).map(() => known),
    ) as typeof found
  }
  const refused = expectErr(
    await signInWithIdentity(
      { ...world.deps, identities: { ...identities, find } },
      { ...(await comeBack(world)), address },
    ),
  )
  t.match(refused, { code: 'identity_refused', reason: 'account_disabled' })
  t.equal((await all(world.sotto.listSessions({ accountId: world.accountId }))).length, 1)
})

// Promise (Single sign-on): A sign-in is fresh only as far as the provider says that the person was there
t.test('a sign-in counts as fresh from when the person signed in at the provider', async (t) => {
  const world = await createWorld()
  await connect(world)
  const check = async (who: Partial<typeof person>) => {
    const session = expectOk(await signIn(world, who))
    return world.sotto.ensureReauthentication({ accountId: world.accountId, session, address })
  }
  expectOk(await check({}))
  expectOk(await check({ authenticatedAtMicros: startMicros - minuteMicros }))
  const longAgo = await check({ authenticatedAtMicros: startMicros - dayMicros })
  t.strictSame(expectErr(longAgo), { code: 'proof_required' })
})

t.test('a callback that proves nothing, and a provider that is away, sign nobody in', async (t) => {
  const world = await createWorld()
  await connect(world)
  const callback = await comeBack(world)
  const other = await comeBack(world)
  const mixed = await signInWithIdentity(world.deps, { ...callback, pending: other.pending, address })
  t.strictSame(expectErr(mixed), { code: 'sso_refused', reason: 'state' })
  expectOk(await signInWithIdentity(world.deps, { ...callback, address }))
  const replayed = await signInWithIdentity(world.deps, { ...callback, address })
  t.strictSame(expectErr(replayed), { code: 'sso_refused', reason: 'code' })
  world.deps.identityProvider.setReachable(false)
  const away = await signInWithIdentity(world.deps, { ...other, address })
  t.equal(expectErr(away).code, 'identity_provider_unreachable')
  const without = await signInWithIdentity(
    { ...world.deps, identityProvider: undefined },
    { ...other, address },
  )
  t.strictSame(expectErr(without), { code: 'sso_refused', reason: 'not_set_up' })
  t.equal(world.deps.data.sessions.size, 1)
})

t.test('an error after the session is stored is not reported', async (t) => {
  const world = await createWorld()
  await connect(world)
  const busy = { code: 'storage_unavailable', reason: 'busy' } as const
  const signIns = failing(world.deps.signIns, { rememberAddress: busy })
  const identities = failing(world.deps.identities, { recordUse: busy })
  const { token } = expectOk(await signIn({ ...world, deps: { ...world.deps, signIns, identities } }))
  t.ok(expectOk(await world.sotto.authenticateSession({ token })))
})
