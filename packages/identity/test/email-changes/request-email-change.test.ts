import t from 'tap'
import { createMemoryMailSender, expectErr, expectOk } from '@sotto/test-kit'
import { requestEmailChange } from '../../src/email-changes/request-email-change.ts'
import {
  counting,
  dayMicros,
  email,
  homeAddress,
  minuteMicros,
  recording,
  startMicros,
} from '../../../core/test/world.ts'
import { createWorld, requestChange } from '../world.ts'

const urlOf = (token: string): string => `https://sotto.example/confirm/${token}`

t.test('a link is mailed to the new address, and nothing changes yet', async (t) => {
  const world = await createWorld()
  const { deps, sotto, accountId } = world
  expectOk(await sotto.setLanguage({ accountId, language: 'ja' }))
  expectOk(await requestEmailChange(deps, { accountId, email: ' Ada@New.example ', urlOf }))
  t.match(deps.mailSender.attempts, [
    {
      to: 'ada@new.example',
      language: 'ja',
      content: {
        kind: 'confirm',
        url: /^https:\/\/sotto\.example\/confirm\/[\w-]{43}$/,
        expiresAtMicros: startMicros + dayMicros,
      },
    },
  ])
  t.equal(expectOk(await sotto.getAccount({ accountId })).email, email)
})

t.test('nothing but the mail tells whether an account has the address', async (t) => {
  const calls: unknown[] = []
  for (const taken of [true, false, 'disabled']) {
    const { deps, sotto, accountId } = await createWorld()
    if (taken !== false) {
      const { id } = expectOk(await sotto.createAccount({ email: 'bob@example.org' }))
      expectOk(await sotto.setLanguage({ accountId: id, language: 'de' }))
      if (taken === 'disabled') expectOk(await sotto.disableAccount({ accountId: id }))
    }
    const recorded = recording(deps, ['accounts', 'emailChanges', 'signIns', 'mailSender'])
    const input = { accountId, email: 'BOB@example.org', urlOf }
    expectOk(await requestEmailChange(recorded.deps, input))
    calls.push(recorded.calls)
    const [mail, ...others] = deps.mailSender.attempts
    t.strictSame(others, [])
    t.equal(mail?.to, 'bob@example.org')
    if (taken === false) t.match(mail, { language: 'en', content: { kind: 'confirm' } })
    else t.strictSame(mail?.content, { kind: 'notice', notice: 'email_taken' }, 'it has no link')
    if (taken !== false) t.equal(mail?.language, 'de', 'it is in the language of who has the address')
    t.equal(deps.data.emailChanges.size, 1, 'so an older change ends in both cases')
  }
  t.strictSame(calls[0], calls[1])
  t.strictSame(calls[0], calls[2])
})

t.test('an account may ask for its own address', async (t) => {
  const { deps, accountId } = await createWorld()
  expectOk(await requestEmailChange(deps, { accountId, email: email.toUpperCase(), urlOf }))
  t.match(deps.mailSender.attempts, [{ to: email, content: { kind: 'confirm' } }])
})

t.test('what is stored does not reveal the address, not even with the keys', async (t) => {
  const world = await createWorld()
  const token = await requestChange(world)
  const { deps, accountId } = world
  const [row] = [...deps.data.emailChanges.values()]
  const { unsealText } = deps.textCipher
  t.equal(unsealText({ accountId, token }, row!.change.email), 'ada@new.example')
  t.equal(unsealText({ accountId, token: 'A'.repeat(43) }, row!.change.email), undefined)
  t.notOk(Buffer.from(row!.digest).includes(Buffer.from(token, 'base64url')))
})

t.test('an email that is none, a missing mail server, a failed mail and an unknown account', async (t) => {
  const { deps, sotto, accountId } = await createWorld()
  const { port: signIns, calls } = counting(deps.signIns)
  const ask = (ports: typeof deps, typed = 'ada@new.example', id = accountId) =>
    requestEmailChange({ ...ports, signIns }, { accountId: id, email: typed, urlOf })
  t.match(expectErr(await ask(deps, 'a;b@new.example')), {
    code: 'fields_invalid',
    errors: [{ field: 'email', rule: 'not_an_email' }],
  })
  t.strictSame(expectErr(await ask({ ...deps, mailSender: undefined as never })), {
    code: 'mail_unavailable',
  })
  t.equal(calls['update'], undefined, 'none of them is counted')
  const failed = { code: 'send_failed', reason: 'timeout', verdict: 'retry' } as const
  const mailSender = createMemoryMailSender({ answer: () => failed })
  t.strictSame(expectErr(await ask({ ...deps, mailSender })), failed)
  expectOk(await sotto.deleteAccount({ accountId }))
  t.strictSame(expectErr(await ask(deps)), { code: 'account_not_found' })
})

t.test('twenty mails an hour are enough for an owner', async (t) => {
  const world = await createWorld()
  const { deps, sotto, accountId } = world
  for (let nr = 0; nr < 20; nr += 1) await requestChange(world, `ada${nr}@new.example`)
  deps.clock.advance(59 * minuteMicros)
  const ask = () => requestEmailChange(deps, { accountId, email: 'one@more.example', urlOf })
  t.match(expectErr(await ask()), { code: 'too_many_mails', retryAfterSeconds: 60 })
  const asked = { email, address: homeAddress, urlOf }
  expectOk(await sotto.requestReset(asked), 'another count')
  deps.clock.advance(minuteMicros)
  expectOk(await ask())
})
