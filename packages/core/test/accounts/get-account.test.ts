import t from 'tap'
import { expectErr, expectOk } from '@sotto/test-kit'
import { getAccount } from '../../src/accounts/find-account.ts'
import { createWorld, email, startMicros, unknownId } from '../world.ts'

t.test('an account is found by its id, disabled or not', async (t) => {
  const { deps, sotto, accountId } = await createWorld()
  expectOk(await sotto.disableAccount({ accountId }))
  t.strictSame(expectOk(await getAccount(deps, { accountId })), {
    id: accountId,
    email,
    externalId: undefined,
    createdAtMicros: startMicros,
    disabledAtMicros: startMicros,
    language: undefined,
    mails: { enabled: true, nameLabels: false },
    notifies: false,
    isHeld: false,
    displayName: undefined,
  })
  t.strictSame(expectErr(await getAccount(deps, { accountId: unknownId })), { code: 'account_not_found' })
})
