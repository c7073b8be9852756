import { createSotto, rotateKeys } from '@sotto/core'
import t from 'tap'
import { errAsync, type ResultAsync } from 'neverthrow'
import { expectErr, expectOk, failing } from '@sotto/test-kit'
import { choosePassword } from '../../src/invitations/choose-password.ts'
import type { NewInvitation } from '../../src/invitations/new-invitation.ts'
import {
  addWebhook,
  all,
  awayAddress,
  counting,
  email,
  minuteMicros,
  inOtherProcess,
} from '../../../core/test/world.ts'
import { createWorld, goodPassword } from '../world.ts'

const gone = { code: 'welcome_not_found' }
const choice = { password: goodPassword, address: awayAddress }

t.test('a one-time link sets the password, signs in and is spent', async (t) => {
  const { deps, sotto, accountId } = await createWorld()
  const { token } = expectOk(await sotto.inviteAccount({ email }))
  const session = expectOk(await choosePassword(deps, { ...choice, token }))
  t.equal(expectOk(await sotto.authenticateSession({ token: session.token })).caller.accountId, accountId)
  t.strictSame(expectErr(await choosePassword(deps, { ...choice, token })), gone)
  t.strictSame(expectErr(await sotto.previewInvitation({ token })), gone)
  expectOk(await sotto.signIn({ ...choice, email }))
})

t.test('an address that cannot be remembered does not undo the choice', async (t) => {
  const { deps, sotto } = await createWorld()
  const { token } = expectOk(await sotto.inviteAccount({ email }))
  const busy = { code: 'storage_unavailable', reason: 'busy' } as const
  const signIns = failing(deps.signIns, { rememberAddress: busy })
  const session = expectOk(await choosePassword({ ...deps, signIns }, { ...choice, token }))
  t.ok(expectOk(await sotto.authenticateSession({ token: session.token })))
})

// Promise (The owner's pages): Of several simultaneous uses of a one-time link one succeeds
t.test('of several simultaneous choices one succeeds', async (t) => {
  const { deps, sotto, accountId } = await createWorld()
  const { token } = expectOk(await sotto.inviteAccount({ email }))
  const choices = await Promise.all(
    Array.from({ length: 10 }, (_, nr) =>
      choosePassword(deps, { ...choice, token, password: `${goodPassword} ${String(nr)}` }),
    ),
  )
  const [session, ...others] = choices.filter((each) => each.isOk())
  t.ok(session)
  t.equal(others.length, 0)
  for (const each of choices) if (each.isErr()) t.strictSame(each.error, gone)
  t.equal((await all(sotto.listSessions({ accountId }))).length, 1)
})

t.test('a password that breaks a rule leaves the link usable', async (t) => {
  const { deps, sotto } = await createWorld()
  const { token } = expectOk(await sotto.inviteAccount({ email }))
  const { port: passwordHasher, calls } = counting(deps.passwordHasher)
  for (const [password, rule] of [
    ['too short', 'too_short'],
    ['PasswordPassword', 'too_common'],
    ['the countess Ada of Lovelace', 'contains_email'],
    ['e\u0301'.repeat(14), 'too_short'],
  ] as const) {
    const refused = expectErr(
      await choosePassword({ ...deps, passwordHasher }, { ...choice, token, password }),
    )
    t.match(refused, { code: 'fields_invalid', errors: [{ field: 'password', rule }] })
  }
  t.strictSame(calls, {})
  expectOk(await choosePassword(deps, { ...choice, token }))
})

t.test('a busy hasher leaves the link usable', async (t) => {
  const { deps, sotto } = await createWorld()
  const { token } = expectOk(await sotto.inviteAccount({ email }))
  const passwordHasher = failing(deps.passwordHasher, { hash: { code: 'hasher_busy' } })
  const refused = await choosePassword({ ...deps, passwordHasher }, { ...choice, token })
  t.strictSame(expectErr(refused), { code: 'hasher_busy' })
  expectOk(await choosePassword(deps, { ...choice, token }))
})

// Promise (The owner's pages): Using a one-time link ends all sessions
t.test('spending a link ends all sessions and the old password', async (t) => {
  const { deps, sotto, accountId } = await createWorld()
  const first = expectOk(await sotto.inviteAccount({ email }))
  const old = expectOk(await choosePassword(deps, { ...choice, token: first.token }))
  const { token } = expectOk(await sotto.resetAccount({ email }))
  expectOk(await sotto.authenticateSession({ token: old.token }))
  expectOk(await sotto.signIn({ ...choice, email }))
  const session = expectOk(await choosePassword(deps, { ...choice, token, password: `${goodPassword} 2` }))
  t.strictSame(
    (await all(sotto.listSessions({ accountId }))).map(({ id }) => id),
    [session.id],
  )
  t.strictSame(expectErr(await sotto.authenticateSession({ token: old.token })), { code: 'session_invalid' })
  t.strictSame(expectErr(await sotto.signIn({ ...choice, email })), { code: 'sign_in_wrong' })
})

t.test(
  'an unknown, malformed, replaced or expired link, and a session’s token, choose nothing',
  async (t) => {
    const { deps, sotto } = await createWorld()
    const older = expectOk(await sotto.inviteAccount({ email }))
    const { token } = expectOk(await sotto.resetAccount({ email }))
    const { port: passwordHasher, calls } = counting(deps.passwordHasher)
    const attempt = async (text: string) =>
      expectErr(await choosePassword({ ...deps, passwordHasher }, { ...choice, token: text }))
    for (const other of ['', 'x', 'A'.repeat(43), older.token]) t.strictSame(await attempt(other), gone)
    deps.clock.advance(60 * minuteMicros)
    t.strictSame(await attempt(token), gone)
    t.strictSame(calls, {}, 'nothing is hashed for a link that is not there')
    const next = expectOk(await sotto.resetAccount({ email }))
    const session = expectOk(await choosePassword(deps, { ...choice, token: next.token }))
    t.strictSame(await attempt(session.token), gone)
  },
)

t.test(
  'a link whose account is disabled or that expires while the hash is computed is not spent',
  async (t) => {
    for (const change of ['disable', 'expire'] as const) {
      const { deps, sotto, accountId } = await createWorld()
      const { token } = expectOk(await sotto.resetAccount({ email }))
      const hash: typeof deps.passwordHasher.hash = (job) => {
        if (change === 'expire') deps.clock.advance(60 * minuteMicros)
        else deps.data.accounts.set(accountId, disabled(deps.data.accounts.get(accountId)!))
        return deps.passwordHasher.hash(job)
      }
      const passwordHasher = { ...deps.passwordHasher, hash }
      t.strictSame(expectErr(await choosePassword({ ...deps, passwordHasher }, { ...choice, token })), gone)
      t.equal(deps.data.passwords.size + deps.data.sessions.size, 0)
    }
  },
)

t.test('a reset, and an invitation that replaces a password, remove the webhooks and say so', async (t) => {
  const world = await createWorld()
  const { deps, sotto, accountId } = world
  const removed = async (make: () => ResultAsync<NewInvitation, { readonly code: string }>) => {
    await addWebhook(world)
    const { token } = expectOk(await make())
    const { removedWebhookHosts } = expectOk(await choosePassword(deps, { ...choice, token }))
    const left = expectOk(await sotto.listWebhooks({ accountId })).items.length
    return { hosts: removedWebhookHosts, left }
  }
  const [invite, reset] = [() => sotto.inviteAccount({ email }), () => sotto.resetAccount({ email })]
  t.strictSame(await removed(invite), { hosts: [], left: 1 }, 'the first password')
  t.strictSame(await removed(invite), { hosts: ['hooks.example.org'], left: 0 })
  t.strictSame(await removed(reset), { hosts: ['hooks.example.org'], left: 0 })
})

t.test('a key that was retired meanwhile costs another encryption, not another hash', async (t) => {
  const { deps, sotto } = await createWorld()
  const { token } = expectOk(await sotto.inviteAccount({ email }))
  const other = inOtherProcess(deps)
  const { port: passwordHasher, calls } = counting(deps.passwordHasher)
  const spend: typeof deps.invitations.spend = (...given) => deps.invitations.spend(...given)
  let retired = false
  const invitations = {
    ...deps.invitations,
    spend: (...given: Parameters<typeof spend>) => {
      if (retired) return spend(...given)
      retired = true
      return rotateKeys(other)
        .andThen(() => createSotto({ ports: other }).retireKey({ kid: 1 }))
        .orElse(() => errAsync({ code: 'storage_failed', detail: 'not retired' } as const))
        .andThen(() => spend(...given))
    },
  }
  expectOk(await choosePassword({ ...deps, passwordHasher, invitations }, { ...choice, token }))
  t.strictSame(calls, { hash: 1 })
})

function disabled<Row extends { readonly account: object }>(row: Row): Row {
  return { ...row, account: { ...row.account, disabledAtMicros: 1 } }
}

t.test('the owner is told when a password was replaced, not of the first one', async (t) => {
  const { deps, sotto } = await createWorld()
  for (const replaces of [false, true]) {
    const { token } = expectOk(await sotto.inviteAccount({ email }))
    expectOk(await expectOk(await choosePassword(deps, { ...choice, token })).mailed)
    t.equal(deps.mailSender.attempts.length, Number(replaces))
  }
  t.match(deps.mailSender.attempts, [{ to: email, content: { kind: 'notice', notice: 'password_changed' } }])
})
