import t from 'tap'
import { expectErr, expectOk } from '@sotto/test-kit'
import { findAccount } from '../../src/accounts/find-account.ts'
import { createWorld, startMicros } from '../world.ts'

t.test('an account is found by its email in any case', async (t) => {
  const { deps, accountId } = await createWorld()
  t.strictSame(expectOk(await findAccount(deps, { email: ' ADA@Example.org ' })), {
    id: accountId,
    email: 'ada@example.org',
    externalId: undefined,
    createdAtMicros: startMicros,
    disabledAtMicros: undefined,
    language: undefined,
    mails: { enabled: true, nameLabels: false },
    notifies: false,
    isHeld: false,
    displayName: undefined,
  })
})

t.test('an unknown email and an external id are not found', async (t) => {
  const { deps, sotto } = await createWorld()
  expectOk(await sotto.ensureAccount({ externalId: 'eve@example.org' }))
  for (const email of ['eve@example.org', 'external:eve@example.org', '']) {
    t.strictSame(expectErr(await findAccount(deps, { email })), { code: 'account_not_found' })
  }
})

t.test('a name that decrypts to something else is corruption', async (t) => {
  const { deps, accountId } = await createWorld()
  const place = { column: 'account.name', accountId, rowId: accountId } as const
  for (const text of ['ada@example.org', 'email:', 'phone:1', '']) {
    const [row] = deps.data.accounts.values()
    if (row === undefined) throw new Error('no account')
    const name = deps.textCipher.encryptText(place, text)
    deps.data.accounts.set(accountId, { ...row, account: { ...row.account, name } })
    t.strictSame(expectErr(await findAccount(deps, { email: 'ada@example.org' })), {
      code: 'data_damaged',
      what: 'account.name',
      id: accountId,
    })
  }
})
