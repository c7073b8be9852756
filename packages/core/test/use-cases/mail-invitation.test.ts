import t from 'tap'
import { createMemoryMailSender, expectErr, expectOk } from '@sotto/test-kit'
import { mailInvitation } from '../../src/use-cases/mail-invitation.ts'
import { all, createWorld, email, startMicros } from '../world.ts'

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
