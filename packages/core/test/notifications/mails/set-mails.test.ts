import t from 'tap'
import { expectErr, expectOk } from '@sotto/test-kit'
import { setMails } from '../../../src/notifications/mails/mail-settings.ts'
import { createWorld, email, unknownId } from '../../world.ts'

t.test('mails are wanted without labels until an owner chooses otherwise', async (t) => {
  const { deps, sotto, accountId } = await createWorld()
  const chosen = async () => expectOk(await sotto.getAccount({ accountId })).mails
  t.strictSame(await chosen(), { enabled: true, nameLabels: false })
  for (const choice of [
    { enabled: false, nameLabels: true },
    { enabled: true, nameLabels: true },
  ]) {
    expectOk(await setMails(deps, { accountId, ...choice }))
    t.strictSame(await chosen(), choice)
  }
  const unknown = await setMails(deps, { accountId: unknownId, enabled: true, nameLabels: true })
  t.strictSame(expectErr(unknown), { code: 'account_not_found' })
})

t.test('the owner is told by a last mail when mails are switched off', async (t) => {
  const { deps, accountId } = await createWorld()
  const set = async (enabled: boolean, nameLabels = false) =>
    expectOk(await expectOk(await setMails(deps, { accountId, enabled, nameLabels })).mailed)
  await set(true, true)
  await set(false)
  await set(false, true)
  await set(true)
  const [mail, ...others] = deps.mailSender.attempts
  t.match(mail, { to: email, content: { kind: 'notice', notice: 'mails_off' } })
  t.strictSame(others, [])
})
