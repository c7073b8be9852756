import t from 'tap'
import { createMemoryMailSender, expectErr, expectOk } from '@sotto/test-kit'
import { mailInvitation } from '../../src/invitations/invitations.ts'
import { all, email, minuteMicros, startMicros } from '../../../core/test/world.ts'
import { createWorld } from '../world.ts'

const url = 'https://sotto.example.org/welcome#CANARY'

t.test('a one-time link is mailed immediately, in the account’s language', async (t) => {
  const { deps, sotto, accountId } = await createWorld()
  expectOk(await sotto.setLanguage({ accountId, language: 'fr' }))
  for (const invitation of ['invite', 'reset'] as const)
    expectOk(await mailInvitation(deps, { accountId, invitation, url, expiresAtMicros: 7 }))
  const mail = { to: email, language: 'fr', atMicros: startMicros }
  t.match(deps.mailSender.attempts, [
    { ...mail, content: { kind: 'invitation', invitation: 'invite', url, expiresAtMicros: 7 } },
    { ...mail, content: { kind: 'invitation', invitation: 'reset', url, expiresAtMicros: 7 } },
  ])
  t.strictSame(await all(sotto.listDeliveries()), [])
})

t.test('a failure names no link', async (t) => {
  const { deps, accountId } = await createWorld()
  const failed = { code: 'send_failed', reason: 'timeout', verdict: 'retry' } as const
  const mailSender = createMemoryMailSender({ answer: () => failed })
  const input = { accountId, invitation: 'reset', url, expiresAtMicros: 7 } as const
  t.strictSame(expectErr(await mailInvitation({ ...deps, mailSender }, input)), failed)
  const without = await mailInvitation({ ...deps, mailSender: undefined }, input)
  t.strictSame(expectErr(without), { code: 'mail_unavailable' })
})

// Promise (mails): Nobody makes this service mail somebody, who has not asked for it, more than ten times an hour.
t.test('ten mails an hour to one address, whoever asks and whatever for', async (t) => {
  const world = await createWorld()
  const { deps, accountId, sotto } = world
  const victim = 'victim@other.example'
  const urlOf = (token: string) => `https://sotto.example/${token}`
  const owners = [accountId]
  for (const name of ['bob', 'eve'])
    owners.push(expectOk(await sotto.createAccount({ email: `${name}@example.org` })).id)
  const { id: invited } = expectOk(await sotto.createAccount({ email: victim }))
  const change = (id: string, to: string) => sotto.requestEmailChange({ accountId: id, email: to, urlOf })
  const reset = (to: string, address: string) => sotto.requestReset({ email: to, address, urlOf })
  const invite = () =>
    mailInvitation(deps, { accountId: invited, invitation: 'invite', url, expiresAtMicros: 7 })
  for (const [nth, owner] of owners.entries()) {
    expectOk(await change(owner, victim))
    expectOk(await change(owner, `Victim+${String(nth)}@Other.example`))
    expectOk(await expectOk(await reset(victim, `192.0.2.${String(nth)}`)).mail())
  }
  expectOk(await invite())
  const before = deps.mailSender.attempts.length
  const refused = { code: 'too_many_mails', retryAfterSeconds: 3_600 }
  t.strictSame(expectErr(await change(owners[1]!, victim)), refused)
  t.strictSame(expectErr(await change(owners[2]!, 'victim+x+y@other.example')), refused)
  t.strictSame(expectErr(await reset(victim, '192.0.2.9')), refused)
  t.strictSame(expectErr(await invite()), refused)
  t.equal(deps.mailSender.attempts.length, before)
  expectOk(await change(accountId, 'somebody@other.example'))
  t.notMatch(JSON.stringify([...deps.data.signInAttempts]), /victim/i)
  deps.clock.advance(60 * minuteMicros)
  expectOk(await invite())
})
