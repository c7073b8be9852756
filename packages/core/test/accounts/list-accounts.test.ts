import t from 'tap'
import { expectOk } from '@sotto/test-kit'
import { listAccounts } from '../../src/accounts/find-account.ts'
import { all, createWorld } from '../world.ts'

t.test('accounts are listed by creation, disabled ones included', async (t) => {
  const { deps, sotto, accountId } = await createWorld()
  expectOk(await sotto.disableAccount({ accountId }))
  deps.clock.advance(1)
  expectOk(await sotto.ensureAccount({ externalId: 'user-1' }))
  deps.clock.advance(1)
  expectOk(await sotto.createAccount({ email: 'bob@example.org' }))
  const names = (await all(listAccounts(deps))).map(({ email, externalId }) => [email, externalId])
  t.strictSame(names, [
    ['ada@example.org', undefined],
    [undefined, 'user-1'],
    ['bob@example.org', undefined],
  ])
})

t.test('a list begins after the given position', async (t) => {
  const { deps, sotto } = await createWorld()
  deps.clock.advance(1)
  expectOk(await sotto.createAccount({ email: 'bob@example.org' }))
  const [first, second] = await all(listAccounts(deps))
  t.strictSame(await all(listAccounts(deps, { after: first })), [second])
})
