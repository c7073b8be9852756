import t from 'tap'
import { expectOk } from '@sotto/test-kit'
import { listAccessTokens } from '../../src/access-tokens/access-tokens.ts'
import { all, startMicros } from '../../../core/test/world.ts'
import { createWorld } from '../world.ts'

t.test('the tokens of the account are listed by creation, revoked ones included', async (t) => {
  const { deps, sotto, accountId } = await createWorld()
  const other = expectOk(await sotto.createAccount({ email: 'bob@example.org' }))
  expectOk(await sotto.createAccessToken({ accountId: other.id, name: 'theirs' }))
  const revoked = expectOk(await sotto.createAccessToken({ accountId, name: 'first' }))
  expectOk(await sotto.revokeAccessToken({ accountId, id: revoked.id }))
  deps.clock.advance(1)
  expectOk(await sotto.createAccessToken({ accountId, name: 'second', scopes: ['read'] }))
  const listed = await all(listAccessTokens(deps, { accountId }))
  t.match(listed, [
    { name: 'first', scopes: ['read', 'write'], revokedAtMicros: startMicros },
    { name: 'second', scopes: ['read'], revokedAtMicros: undefined },
  ])
  t.equal(listed.length, 2)
  t.notOk('accountId' in listed[0]!)
  t.strictSame(await all(listAccessTokens(deps, { accountId, after: listed[0] })), listed.slice(1))
})
