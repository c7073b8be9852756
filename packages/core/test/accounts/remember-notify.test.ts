import t from 'tap'
import { expectErr, expectOk } from '@sotto/test-kit'
import { rememberNotify } from '../../src/accounts/account-choices.ts'
import { createWorld, unknownId } from '../world.ts'

t.test('the last choice is remembered', async (t) => {
  const { deps, sotto, accountId } = await createWorld()
  for (const notify of [true, false]) {
    expectOk(await rememberNotify(deps, { accountId, notify }))
    t.equal(expectOk(await sotto.getAccount({ accountId })).notifies, notify)
  }
  const unknown = { accountId: unknownId, notify: true }
  t.strictSame(expectErr(await rememberNotify(deps, unknown)), { code: 'account_not_found' })
})
