import { accountNameText, type PasswordHashJob, rotateKeys } from '@sotto/core'
import t from 'tap'
import { expectErr, expectOk, failing } from '@sotto/test-kit'
import { errAsync, ResultAsync } from 'neverthrow'
import { signIn } from '../../src/passwords/sign-in.ts'
import { all, awayAddress, email, inOtherProcess, recording, startMicros } from '../../../core/test/world.ts'
import { choosePassword, createWorld, goodPassword, withSignIn, type World } from '../world.ts'

const right = { email, password: goodPassword, address: awayAddress }
const signInWrong = { code: 'sign_in_wrong' }
const busy = { code: 'storage_unavailable', reason: 'busy' } as const

t.test('a right password makes a session', async (t) => {
  const world = await createWorld()
  const chosen = await choosePassword(world)
  world.deps.clock.advance(5)
  const made = expectOk(await signIn(world.deps, right))
  t.match(made, {
    accountId: world.accountId,
    createdAtMicros: startMicros + 5,
    reauthenticatedAtMicros: startMicros + 5,
    lastUsedAtMicros: startMicros + 5,
  })
  t.not(made.token, chosen.token)
  const signedIn = expectOk(await world.sotto.authenticateSession({ token: made.token }))
  t.equal(signedIn.caller.accountId, world.accountId)
  t.equal(
    (await all(world.sotto.listSessions({ accountId: world.accountId }))).length,
    2,
    'the other session stays',
  )
})

t.test('email and password may be typed on another keyboard or system', async (t) => {
  const world = await createWorld()
  await choosePassword(world, 'ein sch\u00f6ner langer Satz')
  const typed = {
    email: ' ADA@Example.ORG\n',
    password: 'ein scho\u0308ner langer Satz',
    address: awayAddress,
  }
  expectOk(await signIn(world.deps, typed))
  t.strictSame(
    expectErr(await signIn(world.deps, { ...typed, password: 'Ein sch\u00f6ner langer Satz' })),
    signInWrong,
    'the case of a password counts',
  )
})

t.test('an account of an earlier version signs in under a name that no new account can have', async (t) => {
  const world = await createWorld()
  const { deps, sotto, accountId } = world
  await choosePassword(world)
  const old = 'a;b@c.org'
  const name = accountNameText({ email: old, externalId: undefined })
  const encrypted = deps.textCipher.encryptText({ column: 'account.name', accountId, rowId: accountId }, name)
  expectOk(await deps.accounts.rename(accountId, encrypted, deps.digests.accountIndexes(name)))
  t.equal(expectOk(await signIn(deps, { ...right, email: old })).accountId, accountId)
  t.equal(expectOk(await sotto.findAccount({ email: old })).id, accountId)
  t.match(expectErr(await sotto.createAccount({ email: old })), { code: 'fields_invalid' })
})

t.test('a legal password signs in however it is composed', async (t) => {
  const world = await createWorld()
  const password = '\u0390'.repeat(512)
  await choosePassword(world, password.normalize('NFD'))
  for (const form of ['NFC', 'NFD'])
    t.ok(expectOk(await signIn(world.deps, { ...right, password: password.normalize(form) })))
})

const wrongCases: Readonly<Record<string, (world: World) => Promise<Partial<typeof right>>>> = {
  'a wrong password': async (world) => {
    await choosePassword(world)
    return { password: 'a wrong password' }
  },
  'an unknown email': async (world) => {
    await choosePassword(world)
    return { email: 'bob@example.org' }
  },
  'an email that cannot exist': async () => ({ email: '\ud800 @' }),
  'an account without a password': async () => ({}),
  'a disabled account': async (world) => {
    await choosePassword(world)
    expectOk(await world.sotto.disableAccount({ accountId: world.accountId }))
    return {}
  },
  'the external id of an account': async ({ sotto }) => {
    expectOk(await sotto.ensureAccount({ externalId: 'user-1' }))
    return { email: 'external:user-1' }
  },
}

for (const [name, prepare] of Object.entries(wrongCases)) {
  // Promise (The owner's pages): An unknown account costs as much as a wrong password
  t.test(
    `${name} gives the same answer as all others, after the same calls and one equal hash`,
    async (t) => {
      const world = await createWorld()
      const input = { ...right, ...(await prepare(world)) }
      const jobs: PasswordHashJob[] = []
      const { passwordHasher } = world.deps
      const hash = (job: PasswordHashJob) => (jobs.push(job), passwordHasher.hash(job))
      const watched = { ...world.deps, passwordHasher: { ...passwordHasher, hash } }
      const { deps, calls } = recording(watched, [
        ...(['accounts', 'passwords', 'sessions', 'signIns'] as const),
        ...(['keyRing', 'digests', 'passwordHasher', 'clock', 'random'] as const),
      ])
      t.strictSame(expectErr(await signIn(deps, input)), signInWrong)
      t.strictSame(calls, [
        ...['keyRing.refresh', 'digests.accountIndexes', 'accounts.findByName', 'passwords.find'],
        ...['digests.keyedDigests', 'clock.nowMicros', 'signIns.knowsAddress'],
        ...['digests.keyedDigests', 'digests.keyedDigests', 'random.bytes', 'clock.nowMicros'],
        ...['signIns.update', 'passwordHasher.hash', 'clock.nowMicros', 'signIns.update'],
      ])
      t.match(jobs, [{ queue: 'account', params: passwordHasher.params }])
      t.equal(jobs[0]?.salt.length, 16)
      t.equal(world.deps.data.signInAttempts.size, 2, 'the attempt is counted for account and address')
    },
  )
}

t.test('a password that no account can have costs nothing and is not counted', async (t) => {
  const world = await createWorld()
  await choosePassword(world)
  const ports = ['accounts', 'passwords', 'signIns', 'passwordHasher'] as const
  for (const password of ['', 'x'.repeat(1_025), 'x'.repeat(1_000_000), 'a\0b', '\ud800']) {
    const { deps, calls } = recording(world.deps, ports)
    t.strictSame(expectErr(await signIn(deps, { ...right, password })), signInWrong)
    t.strictSame(calls, [])
  }
})

const changes: Readonly<Record<string, (world: World) => Promise<unknown>>> = {
  'an account that is disabled': async ({ sotto, accountId }) =>
    expectOk(await sotto.disableAccount({ accountId })),
  'a password that is changed': async ({ sotto, accountId }) => {
    const [session] = await all(sotto.listSessions({ accountId }))
    const sessionId = session?.id ?? ''
    expectOk(await sotto.changePassword({ accountId, sessionId, password: 'quite another password' }))
  },
  'a password that is chosen again': (world) => choosePassword(world, 'quite another password'),
  'an account that is deleted': async ({ sotto, accountId }) =>
    expectOk(await sotto.deleteAccount({ accountId })),
}

for (const [name, change] of Object.entries(changes)) {
  t.test(`${name} while the hash is computed gives no session`, async (t) => {
    const world = await createWorld()
    await choosePassword(world)
    const { passwordHasher } = world.deps
    const hash = (job: PasswordHashJob) => new ResultAsync(change(world).then(() => passwordHasher.hash(job)))
    const deps = { ...world.deps, passwordHasher: { ...passwordHasher, hash } }
    t.strictSame(expectErr(await signIn(deps, right)), signInWrong)
    t.ok(
      (await all(world.sotto.listSessions({ accountId: world.accountId }))).length <= 1,
      'no session but that of the change',
    )
  })
}

t.test('keys that another process has rotated are read first', async (t) => {
  const world = await createWorld()
  await choosePassword(world)
  const other = inOtherProcess(world.deps)
  expectOk(await rotateKeys(other))
  expectOk(await rotateKeys(other))
  t.ok(expectOk(await signIn(world.deps, right)))
})

t.test('a corrupted hash is corruption and counts no attempt', async (t) => {
  const world = await createWorld()
  await choosePassword(world)
  const { data, textCipher } = world.deps
  const stored = data.passwords.get(world.accountId)!
  const place = { column: 'account.password', accountId: world.accountId, rowId: stored.id } as const
  const corrupted = { code: 'data_damaged', what: 'account.password', id: stored.id }
  for (const hash of [
    textCipher.encryptText(place, 'something else'),
    textCipher.encryptText({ ...place, rowId: world.accountId }, 'moved here'),
  ]) {
    data.passwords.set(world.accountId, { ...stored, hash })
    t.strictSame(expectErr(await signIn(world.deps, right)), corrupted)
  }
  t.equal(data.signInAttempts.size, 0)
})

for (const error of [{ code: 'account_not_found' }, busy] as const) {
  t.test(`an address that cannot be remembered (${error.code}) does not undo the sign-in`, async (t) => {
    const world = await createWorld()
    await choosePassword(world)
    const signIns = failing(world.deps.signIns, { rememberAddress: error })
    const { token } = expectOk(await signIn({ ...world.deps, signIns }, right))
    t.ok(expectOk(await world.sotto.authenticateSession({ token })))
  })
}

// Promise (The owner's pages): An account has at most 50 sessions, the newest
t.test('an account has its 50 newest sessions, and no other account loses one', async (t) => {
  const world = await createWorld()
  const ids = [(await choosePassword(world)).id]
  const { token } = expectOk(await world.sotto.inviteAccount({ email: 'bob@example.org' }))
  const bob = expectOk(
    await world.sotto.choosePassword({ token, password: right.password, address: right.address }),
  )
  while (ids.length < 50) ids.push(await signInLater(world))
  t.strictSame(await sessionsOf(world), ids)
  for (let nr = 0; nr < 3; nr += 1) ids.push(await signInLater(world))
  t.strictSame(await sessionsOf(world), ids.slice(3))
  expectOk(await world.sotto.authenticateSession({ token: bob.token }))
})

t.test('sessions that an error has left over end with the next sign-in', async (t) => {
  const world = await createWorld()
  await choosePassword(world)
  const ids = []
  for (let nr = 0; nr < 160; nr += 1) {
    const method = nr % 2 === 0 ? 'page' : 'erase'
    const sessions = { ...world.deps.sessions, [method]: () => errAsync(busy) }
    ids.push(await signInLater({ ...world, deps: { ...world.deps, sessions } }))
  }
  t.ok((await sessionsOf(world)).length > 150)
  ids.push(await signInLater(world))
  t.strictSame(await sessionsOf(world), ids.slice(-50))
})

t.test('sign-ins at the same time leave no more than 50 sessions', async (t) => {
  const world = await createWorld()
  await choosePassword(world)
  for (let nr = 0; nr < 49; nr += 1) await signInLater(world)
  const signedIn = await Promise.all(
    Array.from({ length: 10 }, (_, nr) =>
      signIn(world.deps, { ...right, address: `203.0.113.${String(nr)}` }),
    ),
  )
  t.ok(signedIn.filter((each) => each.isOk()).length > 1)
  t.equal((await sessionsOf(world)).length, 50)
})

t.test('a sign-in after the clock was set back does not end its own session', async (t) => {
  const world = await createWorld()
  await choosePassword(world)
  for (let nr = 0; nr < 49; nr += 1) await signInLater(world)
  world.deps.clock.set(startMicros - 1)
  const { token } = expectOk(await signIn(world.deps, right))
  t.ok(expectOk(await world.sotto.authenticateSession({ token })))
  t.equal((await sessionsOf(world)).length, 50)
})

async function signInLater({ deps }: World): Promise<string> {
  deps.clock.advance(1)
  return expectOk(await signIn(deps, right)).id
}

async function sessionsOf({ deps, accountId }: World): Promise<readonly string[]> {
  return expectOk(await deps.sessions.page(accountId, undefined, 1_000)).map(({ id }) => id)
}

// Promise (Single sign-on): Where passwords are off, no password signs in, and nobody mails a reset link
t.test('where nobody signs in with a password, a right one does not, and none is hashed', async (t) => {
  const world = await createWorld()
  await choosePassword(world)
  const { deps, sotto } = withSignIn(world, { passwords: false })
  const passwordHasher = failing(deps.passwordHasher, { hash: { code: 'hasher_busy' } })
  t.strictSame(expectErr(await signIn({ ...deps, passwordHasher }, right)), { code: 'password_sign_in_off' })
  t.equal(deps.data.signInAttempts.size, 0)
  const { token } = expectOk(await sotto.inviteAccount({ email }))
  const link = { token, password: `${goodPassword} 2`, address: awayAddress }
  expectOk(await sotto.choosePassword(link), 'a one-time link of the operator is the way in')
})
