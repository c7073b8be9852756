import type { ResultAsync } from 'neverthrow'
import t from 'tap'
import { createMemoryMailSender, expectErr, expectOk } from '@sotto/test-kit'
import { peekQuota } from '../../../src/quota/take-quota.ts'
import { testMail } from '../../../src/notifications/mails/mail-settings.ts'
import { testWebhook } from '../../../src/notifications/webhooks/webhooks.ts'
import type { ErrorOf } from '../../../src/sotto.ts'
import { addWebhook, all, createWorld, email, minuteMicros, startMicros, unknownId } from '../../world.ts'

t.test(
  'a test mail is sent immediately, in the account’s language, whatever mails its owner wants',
  async (t) => {
    const { deps, sotto, accountId } = await createWorld()
    expectOk(await testMail(deps, { accountId }))
    expectOk(await sotto.setLanguage({ accountId, language: 'ja' }))
    expectOk(await deps.accounts.setMails(accountId, { enabled: false, nameLabels: false }))
    expectOk(await testMail(deps, { accountId }))
    const mail = { to: email, atMicros: startMicros, content: { kind: 'test' } }
    t.match(deps.mailSender.attempts, [
      { ...mail, language: 'en' },
      { ...mail, language: 'ja' },
    ])
    t.not(deps.mailSender.attempts[0]?.id, deps.mailSender.attempts[1]?.id)
    t.strictSame(await all(sotto.listDeliveries()), [])
  },
)

t.test('a mail that is not delivered is an error with its reason', async (t) => {
  const { deps, accountId } = await createWorld()
  const failed = { code: 'send_failed', reason: 'timeout', verdict: 'retry' } as const
  const mailSender = createMemoryMailSender({ answer: () => failed })
  t.strictSame(expectErr(await testMail({ ...deps, mailSender }, { accountId })), failed)
})

t.test('without a mail server or an address there is no mail', async (t) => {
  const { deps, sotto, accountId } = await createWorld()
  const unavailable = { code: 'mail_unavailable' }
  t.strictSame(expectErr(await testMail({ ...deps, mailSender: undefined }, { accountId })), unavailable)
  const { id: nameless } = expectOk(await sotto.ensureAccount({ externalId: 'user-1' }))
  t.strictSame(expectErr(await testMail(deps, { accountId: nameless })), unavailable)
  t.strictSame(expectErr(await testMail(deps, { accountId: unknownId })), { code: 'account_not_found' })
  t.strictSame(deps.mailSender.attempts, [])
})

t.test(
  'an owner has five tests a minute sent, of mails and webhooks together; the operator has no limit',
  async (t) => {
    const world = await createWorld()
    const { deps, accountId } = world
    const id = await addWebhook(world)
    type Sent = ResultAsync<void, ErrorOf<typeof testMail | typeof testWebhook>>
    const mail = (byOperator?: boolean): Sent => testMail(deps, { accountId, byOperator })
    const post = (byOperator?: boolean): Sent => testWebhook(deps, { accountId, id, byOperator })
    for (let nr = 0; nr < 6; nr += 1) expectOk(await (nr % 2 === 0 ? mail : post)(true))
    for (const send of [mail, post, mail, post, mail]) expectOk(await send())
    for (const send of [mail, post]) {
      t.match(expectErr(await send(), 'quota_exceeded'), { retryAfterSeconds: 60 })
    }
    const bucket = { kind: 'tests', accountId } as const
    t.equal(expectOk(await peekQuota(deps, { bucket })).remaining, 0)
    t.equal(deps.mailSender.attempts.length, 6, 'a test that is refused sends nothing')
    t.equal(deps.webhookSender.attempts.length, 5)
    t.match(expectErr(await testWebhook(deps, { accountId, id: unknownId })), { code: 'webhook_not_found' })
    expectOk(await mail(true))
    deps.clock.advance(minuteMicros)
    expectOk(await post())
  },
)
