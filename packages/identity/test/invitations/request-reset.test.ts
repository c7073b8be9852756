import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import { createMemoryMailSender, expectErr, expectOk } from '@sotto/test-kit'
import { requestReset } from '../../src/invitations/request-reset.ts'
import {
  awayAddress,
  email,
  homeAddress,
  minuteMicros,
  recording,
  startMicros,
} from '../../../core/test/world.ts'
import { choosePassword, createWorld, goodPassword, type World, withSignIn } from '../world.ts'

const urlOf = (token: string): string => `https://sotto.example/welcome/${token}`
const input = { email, address: awayAddress, urlOf }

async function ask(deps: World['deps'], more: Partial<typeof input> = {}): Promise<void> {
  expectOk(await expectOk(await requestReset(deps, { ...input, ...more })).mail())
}

t.test('an owner gets a one-time link that works for an hour', async (t) => {
  const world = await createWorld()
  const { deps, sotto, accountId } = world
  await choosePassword(world)
  expectOk(await sotto.setLanguage({ accountId, language: 'es' }))
  await ask(deps, { email: ' ADA@example.org' })
  const [mail] = deps.mailSender.attempts
  t.match(mail, {
    to: email,
    language: 'es',
    content: { kind: 'invitation', invitation: 'reset', expiresAtMicros: startMicros + 60 * minuteMicros },
  })
  const url = mail?.content.kind === 'invitation' ? mail.content.url : ''
  t.match(url, /^https:\/\/sotto\.example\/welcome\/[\w-]{43}$/)
  expectOk(await sotto.signIn({ email, password: goodPassword, address: homeAddress }), 'until it is used')
  const chosen = { token: url.slice(-43), password: 'quite another password', address: homeAddress }
  expectOk(await sotto.choosePassword(chosen))
})

/** Accounts that get no mail. */
const silent: Readonly<Record<string, (world: World) => Promise<unknown>>> = {
  'an unknown email': async ({ sotto, accountId }) => expectOk(await sotto.deleteAccount({ accountId })),
  'a disabled account': async ({ sotto, accountId }) => expectOk(await sotto.disableAccount({ accountId })),
  'an account whose invitation can still be used': async ({ sotto }) =>
    expectOk(await sotto.inviteAccount({ email })),
  'an account to which the operator has handed over a link': async ({ sotto }) =>
    expectOk(await sotto.resetAccount({ email })),
  async 'a held account'({ deps, accountId }) {
    const row = deps.data.accounts.get(accountId)
    if (row !== undefined)
      deps.data.accounts.set(accountId, { ...row, account: { ...row.account, isHeld: true } })
  },
}

for (const [what, prepare] of Object.entries(silent)) {
  t.test(`${what} gets no mail, and what is done before the answer is the same`, async (t) => {
    const known = await createWorld()
    await choosePassword(known)
    const other = await createWorld()
    await prepare(other)
    const before = [...other.deps.data.invitations]
    for (const { deps } of [known, other]) {
      const recorded = recording(deps, ['accounts', 'invitations', 'signIns', 'mailSender'])
      const { mail } = expectOk(await requestReset(recorded.deps, input))
      await setImmediate()
      t.strictSame(recorded.calls, ['signIns.update'], 'until mail is called')
      expectOk(await mail())
    }
    t.equal(known.deps.mailSender.attempts.length, 1)
    t.strictSame(other.deps.mailSender.attempts, [])
    t.strictSame([...other.deps.data.invitations], before, 'a stranger ends no link of the operator')
  })
}

// Promise (The owner's pages): A stranger does not end the link that the operator made
t.test('one that was asked for ends with the next one, and with one of the operator', async (t) => {
  const { deps, sotto } = await createWorld()
  const mailed = () =>
    deps.mailSender.attempts.map(({ content }) =>
      content.kind === 'invitation' ? content.url.slice(-43) : '',
    )
  const isThere = async (token = '') => (await sotto.previewInvitation({ token })).isOk()
  await ask(deps)
  await ask(deps)
  t.strictSame(await Promise.all(mailed().map(isThere)), [false, true])
  const { token } = expectOk(await sotto.resetAccount({ email }))
  await ask(deps)
  t.equal(mailed().length, 2)
  t.strictSame([await isThere(mailed()[1]), await isThere(token)], [false, true])
  deps.clock.advance(60 * minuteMicros)
  await ask(deps)
  t.equal(await isThere(mailed()[2]), true, 'once it is over')
})

t.test('an account without a password gets a link once its invitation is over', async (t) => {
  const { deps, sotto } = await createWorld()
  expectOk(await sotto.inviteAccount({ email }))
  deps.clock.advance(72 * 60 * minuteMicros)
  await ask(deps)
  t.match(deps.mailSender.attempts, [{ to: email, content: { kind: 'invitation', invitation: 'reset' } }])
})

t.test('three an hour for an email, known or not', async (t) => {
  for (const asked of [email, 'nobody@example.org']) {
    const { deps } = await createWorld()
    for (let nr = 0; nr < 3; nr += 1) await ask(deps, { email: asked, address: `192.0.2.${nr}` })
    deps.clock.advance(59 * minuteMicros)
    const refused = await requestReset(deps, { ...input, email: asked })
    t.strictSame(expectErr(refused), { code: 'too_many_mails', retryAfterSeconds: 60 }, asked)
    await ask(deps, { email: 'carl@example.org' })
    deps.clock.advance(minuteMicros)
    await ask(deps, { email: asked })
  }
})

t.test('twenty an hour from an address, and sign-ins have counts of their own', async (t) => {
  const world = await createWorld()
  const { deps, sotto } = world
  await choosePassword(world)
  for (let nr = 0; nr < 20; nr += 1) await ask(deps, { email: `nobody${nr}@example.org` })
  t.match(expectErr(await requestReset(deps, input)), { code: 'too_many_mails', retryAfterSeconds: 3_600 })
  await ask(deps, { address: homeAddress })
  expectOk(await sotto.signIn({ email, password: goodPassword, address: awayAddress }))
})

t.test('at the same time or one after the other, no more are counted', async (t) => {
  const { deps } = await createWorld()
  const all = await Promise.all(Array.from({ length: 10 }, () => requestReset(deps, input)))
  t.equal(all.filter((each) => each.isOk()).length, 3)
})

t.test('without a mail server, and for an email that is none, nothing is counted', async (t) => {
  const { deps } = await createWorld()
  t.match(expectErr(await requestReset(deps, { ...input, email: 'ada' })), { code: 'fields_invalid' })
  const without = await requestReset({ ...deps, mailSender: undefined }, input)
  t.strictSame(expectErr(without), { code: 'mail_unavailable' })
  t.equal(deps.data.signInAttempts.size, 0)
})

t.test('a mail that cannot be sent is known to whoever waits for it only', async (t) => {
  const { deps } = await createWorld()
  const failed = { code: 'send_failed', reason: 'timeout', verdict: 'retry' } as const
  const mailSender = createMemoryMailSender({ answer: () => failed })
  const { mail } = expectOk(await requestReset({ ...deps, mailSender }, input))
  t.strictSame(expectErr(await mail()), failed)
})

t.test('where nobody signs in with a password, no link is mailed', async (t) => {
  const { deps } = withSignIn(await createWorld(), { passwords: false })
  t.strictSame(expectErr(await requestReset(deps, input)), { code: 'password_sign_in_off' })
  t.equal(deps.mailSender.attempts.length + deps.data.signInAttempts.size, 0)
})
