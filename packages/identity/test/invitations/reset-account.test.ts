import t from 'tap'
import { expectErr, expectOk } from '@sotto/test-kit'
import { resetAccount } from '../../src/invitations/invitations.ts'
import { all, email, minuteMicros, startMicros } from '../../../core/test/world.ts'
import { createWorld } from '../world.ts'

t.test('a reset works for an hour and ends an invitation', async (t) => {
  const { deps, sotto } = await createWorld()
  const invited = expectOk(await sotto.inviteAccount({ email }))
  const reset = expectOk(await resetAccount(deps, { email: ' ADA@example.org' }))
  t.match(reset, { kind: 'reset', expiresAtMicros: startMicros + 60 * minuteMicros })
  t.strictSame(expectErr(await sotto.previewInvitation({ token: invited.token })), {
    code: 'welcome_not_found',
  })
  deps.clock.advance(60 * minuteMicros - 1)
  expectOk(await sotto.previewInvitation({ token: reset.token }))
  deps.clock.advance(1)
  t.strictSame(expectErr(await sotto.previewInvitation({ token: reset.token })), {
    code: 'welcome_not_found',
  })
})

t.test('an unknown account is not made, and a disabled one is refused', async (t) => {
  const { deps, sotto, accountId } = await createWorld()
  t.strictSame(expectErr(await resetAccount(deps, { email: 'bob@example.org' })), {
    code: 'account_not_found',
  })
  t.equal((await all(sotto.listAccounts())).length, 1)
  expectOk(await sotto.disableAccount({ accountId }))
  t.strictSame(expectErr(await resetAccount(deps, { email })), { code: 'account_disabled' })
})
