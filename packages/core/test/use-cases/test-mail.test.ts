import t from 'tap'
import { createMemoryMailSender, expectErr, expectOk } from '@sotto/test-kit'
import { testMail } from '../../src/use-cases/test-mail.ts'
import { all, createWorld, email, startMicros, unknownId } from '../world.ts'

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
