import t from 'tap'
import { expectErr, expectOk } from '@sotto/test-kit'
import { disableAccount } from '../../src/accounts/delete-account.ts'
import { all, createWorld, startMicros, unknownId } from '../world.ts'

t.test('a disabled account keeps the time at which it was first disabled', async (t) => {
  const { deps, sotto, accountId } = await createWorld()
  expectOk(await disableAccount(deps, { accountId }))
  deps.clock.advance(5)
  expectOk(await disableAccount(deps, { accountId }))
  t.equal((await all(sotto.listAccounts()))[0]?.disabledAtMicros, startMicros)
})

t.test('an unknown account is not disabled', async (t) => {
  const { deps } = await createWorld()
  t.strictSame(expectErr(await disableAccount(deps, { accountId: unknownId })), { code: 'account_not_found' })
})
