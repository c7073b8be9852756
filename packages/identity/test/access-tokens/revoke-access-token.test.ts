import t from 'tap'
import { expectErr, expectOk } from '@sotto/test-kit'
import { revokeAccessToken } from '../../src/access-tokens/access-tokens.ts'
import { all, startMicros, unknownId } from '../../../core/test/world.ts'
import { createWorld } from '../world.ts'

t.test('a revoked token is refused from then on and keeps the time of its first revocation', async (t) => {
  const { deps, sotto, accountId } = await createWorld()
  const { id, token } = expectOk(await sotto.createAccessToken({ accountId, name: 'ci' }))
  expectOk(await revokeAccessToken(deps, { accountId, id: id.toUpperCase() }))
  deps.clock.advance(1)
  expectOk(await revokeAccessToken(deps, { accountId, id }))
  t.strictSame(expectErr(await sotto.authenticate({ token })), { code: 'token_invalid' })
  t.equal((await all(sotto.listAccessTokens({ accountId })))[0]?.revokedAtMicros, startMicros)
})

t.test('an unknown, a malformed and another account’s token give the same error', async (t) => {
  const { deps, sotto, accountId } = await createWorld()
  const { id, token } = expectOk(await sotto.createAccessToken({ accountId, name: 'ci' }))
  for (const input of [
    { accountId: unknownId, id },
    { accountId, id: unknownId },
    { accountId, id: 'x' },
  ]) {
    t.strictSame(expectErr(await revokeAccessToken(deps, input)), { code: 'access_token_not_found' })
  }
  expectOk(await sotto.authenticate({ token }))
})
