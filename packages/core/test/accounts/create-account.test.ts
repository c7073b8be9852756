import t from 'tap'
import { expectErr, expectOk } from '@sotto/test-kit'
import { createAccount } from '../../src/accounts/create-account.ts'
import { all, createWorld, startMicros } from '../world.ts'

t.test('an account is created under its normalised email', async (t) => {
  const { deps } = await createWorld()
  const account = expectOk(await createAccount(deps, { email: ' Eve@Example.ORG ' }))
  t.match(account, {
    email: 'eve@example.org',
    externalId: undefined,
    createdAtMicros: startMicros,
    disabledAtMicros: undefined,
  })
})

t.test('of several accounts for one email only one is created', async (t) => {
  const { deps, sotto } = await createWorld()
  const results = await Promise.all(
    ['eve@x', 'EVE@x', 'eve@X'].map((email) => createAccount(deps, { email })),
  )
  t.equal(results.filter((result) => result.isOk()).length, 1)
  for (const result of results) if (result.isErr()) t.strictSame(result.error, { code: 'account_exists' })
  t.equal((await all(sotto.listAccounts())).length, 2)
})

t.test('a text that is not an email creates no account', async (t) => {
  const { deps, sotto } = await createWorld()
  t.strictSame(expectErr(await createAccount(deps, { email: 'nobody' })), {
    code: 'fields_invalid',
    errors: [{ field: 'email', rule: 'not_an_email' }],
  })
  t.equal((await all(sotto.listAccounts())).length, 1)
})
