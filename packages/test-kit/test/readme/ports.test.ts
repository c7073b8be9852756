import { createFullSotto } from '@sotto/identity'
import { createMemoryPorts, expectErr, expectOk } from '@sotto/test-kit'
import t from 'tap'

t.test('an access token is refused from its expiry on', async (t) => {
  const ports = createMemoryPorts()
  const sotto = createFullSotto({ ports })
  const account = expectOk(await sotto.createAccount({ email: 'ada@example.org' }))
  const created = await sotto.createAccessToken({
    accountId: account.id,
    name: 'a token',
    expiresInSeconds: 60,
  })
  const { token } = expectOk(created)
  ports.clock.advance(59_999_999)
  t.equal(expectOk(await sotto.authenticate({ token })).accountId, account.id)
  ports.clock.advance(1)
  expectErr(await sotto.authenticate({ token }), 'token_invalid')
})
