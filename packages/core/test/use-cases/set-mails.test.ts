import t from 'tap'
import { expectErr, expectOk } from '@sotto/test-kit'
import { setMails } from '../../src/use-cases/set-mails.ts'
import { createWorld, unknownId } from '../world.ts'

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
