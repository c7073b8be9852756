import t from 'tap'
import { createAccount } from '../../src/use-cases/create-account.ts'
import { createFolder } from '../../src/use-cases/create-folder.ts'
import { disableAccount } from '../../src/use-cases/disable-account.ts'
import { findAccount } from '../../src/use-cases/find-account.ts'
import { listAccounts } from '../../src/use-cases/list-accounts.ts'
import { listFolders } from '../../src/use-cases/list-folders.ts'
import { all, createWorld, startMicros } from '../world.ts'

const stranger = '0190f3a0-0000-7000-8000-000000000000'

t.test('an account is found by its email in any case', async (t) => {
  const { ports, accountId } = await createWorld()
  const found = (await findAccount(ports, { email: ' ADA@Example.org ' }))._unsafeUnwrap()
  t.strictSame(found, {
    id: accountId,
    email: 'ada@example.org',
    createdAtMicros: startMicros,
    disabledAtMicros: undefined,
  })
  t.strictSame((await findAccount(ports, { email: 'eve@example.org' }))._unsafeUnwrapErr(), {
    code: 'account_not_found',
  })
})

t.test('of several accounts for one email one is made', async (t) => {
  const { ports } = await createWorld()
  const made = await Promise.all(['eve@x', 'EVE@x', 'eve@X'].map((email) => createAccount(ports, { email })))
  t.equal(made.filter((one) => one.isOk()).length, 1)
  for (const one of made) if (one.isErr()) t.strictSame(one.error, { code: 'account_exists' })
  t.equal((await all(listAccounts(ports))).length, 2)
})

t.test('what is no email makes no account', async (t) => {
  const { ports } = await createWorld()
  const refused = (await createAccount(ports, { email: 'nobody' }))._unsafeUnwrapErr()
  t.strictSame(refused, { code: 'fields_invalid', faults: [{ field: 'email', rule: 'not_an_email' }] })
})

t.test('a disabled account keeps the moment of its disabling', async (t) => {
  const { ports, accountId } = await createWorld()
  t.ok((await disableAccount(ports, { accountId })).isOk())
  ports.clock.advance(5)
  t.ok((await disableAccount(ports, { accountId })).isOk())
  t.equal((await all(listAccounts(ports)))[0]?.disabledAtMicros, startMicros)
  t.strictSame((await disableAccount(ports, { accountId: stranger }))._unsafeUnwrapErr(), {
    code: 'account_not_found',
  })
})

t.test('folders are listed in the order in which they were made', async (t) => {
  const { ports, accountId } = await createWorld()
  for (const label of ['b', 'a']) {
    ports.clock.advance(1)
    t.ok((await createFolder(ports, { accountId, label })).isOk())
  }
  const labels = (await all(listFolders(ports, { accountId }))).map(({ label }) => label)
  t.strictSame(labels, ['First', 'b', 'a'])
})

t.test('a folder wants a label and an account', async (t) => {
  const { ports, accountId } = await createWorld()
  t.match((await createFolder(ports, { accountId, label: '' }))._unsafeUnwrapErr(), {
    code: 'fields_invalid',
  })
  const orphan = await createFolder(ports, { accountId: stranger, label: 'x' })
  t.strictSame(orphan._unsafeUnwrapErr(), { code: 'account_not_found' })
})
