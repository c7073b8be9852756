import { ok } from 'neverthrow'
import t from 'tap'
import { expectErr, expectOk } from '@sotto/test-kit'
import { changePassword } from '../../src/passwords/change-password.ts'
import { all, awayAddress, email, unknownId } from '../../../core/test/world.ts'
import { choosePassword, createWorld, goodPassword } from '../world.ts'

const password = 'quite another password'

// Promise (The owner's pages): A new password ends all other sessions
t.test('a change sets the password and ends every other session', async (t) => {
  const world = await createWorld()
  const { deps, sotto, accountId } = world
  const other = await choosePassword(world)
  const { id: sessionId } = expectOk(
    await sotto.signIn({ email, password: goodPassword, address: awayAddress }),
  )
  expectOk(await changePassword(deps, { accountId, sessionId, password }))
  t.strictSame(
    (await all(sotto.listSessions({ accountId }))).map(({ id }) => id),
    [sessionId],
  )
  t.strictSame(expectErr(await sotto.authenticateSession({ token: other.token })), {
    code: 'session_invalid',
  })
  t.strictSame(expectErr(await sotto.signIn({ email, password: goodPassword, address: awayAddress })), {
    code: 'sign_in_wrong',
  })
  expectOk(await sotto.signIn({ email, password, address: awayAddress }))
})

// Promise (The owner's pages): Owners are told by mail of a new password, and that mails were turned off
t.test('the owner is told by mail, whatever mails about secrets are wanted', async (t) => {
  const world = await createWorld()
  const { deps, sotto, accountId } = world
  const { id: sessionId } = await choosePassword(world)
  t.strictSame(deps.mailSender.attempts, [], 'not of the first password')
  expectOk(await sotto.setMails({ accountId, enabled: false, nameLabels: false }))
  expectOk(await expectOk(await changePassword(deps, { accountId, sessionId, password })).mailed)
  t.match(deps.mailSender.attempts.at(-1), {
    to: email,
    content: { kind: 'notice', notice: 'password_changed' },
  })
})

t.test('a password that breaks a rule changes nothing', async (t) => {
  const world = await createWorld()
  const { id: sessionId, accountId } = await choosePassword(world)
  for (const [typed, rule] of [
    ['short', 'too_short'],
    ['ada has a long password', 'contains_email'],
  ] as const) {
    const refused = await changePassword(world.deps, { accountId, sessionId, password: typed })
    t.match(expectErr(refused), { errors: [{ field: 'password', rule }] })
  }
  expectOk(await world.sotto.signIn({ email, password: goodPassword, address: awayAddress }))
})

t.test('of several simultaneous changes one succeeds', async (t) => {
  const world = await createWorld()
  const { id: sessionId, accountId } = await choosePassword(world)
  const changes = await Promise.all(
    Array.from({ length: 5 }, (_, nr) =>
      changePassword(world.deps, { accountId, sessionId, password: `${password} ${String(nr)}` }),
    ),
  )
  t.equal(changes.filter((change) => change.isOk()).length, 1)
  for (const change of changes) if (change.isErr()) t.strictSame(change.error, { code: 'password_changed' })
})

// Promise (The owner's pages): A new password ends all other sessions: and a session that was ended cannot set one
t.test('a session that is ended while its new password is hashed changes nothing', async (t) => {
  const world = await createWorld()
  const { id: sessionId, accountId } = await choosePassword(world)
  const { deps, sotto } = world
  const passwordHasher: typeof deps.passwordHasher = {
    ...deps.passwordHasher,
    hash: (job) =>
      sotto
        .endSession({ accountId, id: sessionId })
        .orTee(({ code }) => t.fail(code))
        .orElse(() => ok())
        .andThen(() => deps.passwordHasher.hash(job)),
  }
  const changed = await changePassword({ ...deps, passwordHasher }, { accountId, sessionId, password })
  t.strictSame(expectErr(changed), { code: 'password_changed' })
  expectOk(await sotto.signIn({ email, password: goodPassword, address: awayAddress }))
})

t.test('an account without a password, and one that is gone, have none to change', async (t) => {
  const { deps, accountId } = await createWorld()
  const change = { sessionId: unknownId, password }
  t.strictSame(expectErr(await changePassword(deps, { ...change, accountId })), { code: 'password_changed' })
  t.strictSame(expectErr(await changePassword(deps, { ...change, accountId: unknownId })), {
    code: 'account_not_found',
  })
})
