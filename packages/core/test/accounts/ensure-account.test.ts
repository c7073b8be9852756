import t from 'tap'
import { errAsync, okAsync } from 'neverthrow'
import { expectErr, expectOk } from '@sotto/test-kit'
import { ensureAccount } from '../../src/accounts/create-account.ts'
import { all, counting, createWorld, startMicros } from '../world.ts'

t.test('the first call creates the account, later calls find it', async (t) => {
  const { deps, sotto } = await createWorld()
  const first = expectOk(await ensureAccount(deps, { externalId: 'user-1' }))
  t.match(first, {
    email: undefined,
    externalId: 'user-1',
    createdAtMicros: startMicros,
    disabledAtMicros: undefined,
  })
  deps.clock.advance(1)
  t.strictSame(expectOk(await ensureAccount(deps, { externalId: 'user-1' })), first)
  t.equal((await all(sotto.listAccounts())).length, 2)
})

t.test('concurrent calls for one user all return the same account', async (t) => {
  const { deps, sotto } = await createWorld()
  const calls = Array.from({ length: 20 }, () => ensureAccount(deps, { externalId: 'user-1' }))
  const ids = (await Promise.all(calls)).map((result) => expectOk(result).id)
  t.equal(new Set(ids).size, 1)
  t.equal((await all(sotto.listAccounts())).length, 2)
})

t.test('external ids are compared exactly', async (t) => {
  const { deps } = await createWorld()
  const externalIds = ['user', 'User', ' user', 'us\u00e9r', 'use\u0301r']
  const ids = new Set<string>()
  for (const externalId of externalIds) {
    const account = expectOk(await ensureAccount(deps, { externalId }))
    t.equal(account.externalId, externalId)
    ids.add(account.id)
  }
  t.equal(ids.size, externalIds.length)
})

t.test('an external id and an email are never the same name, however similar their texts', async (t) => {
  const { deps, sotto, accountId } = await createWorld()
  const external = expectOk(await ensureAccount(deps, { externalId: 'ada@example.org' }))
  const lookAlike = expectOk(await ensureAccount(deps, { externalId: 'email:ada@example.org' }))
  t.equal(new Set([accountId, external.id, lookAlike.id]).size, 3)
  t.equal(expectOk(await sotto.findAccount({ email: 'ada@example.org' })).id, accountId)
  t.match(expectErr(await sotto.findAccount({ email: 'external:ada@example.org' })), {
    code: 'account_not_found',
  })
})

t.test('a disabled account is found like any other', async (t) => {
  const { deps, sotto } = await createWorld()
  const { id } = expectOk(await ensureAccount(deps, { externalId: 'user-1' }))
  expectOk(await sotto.disableAccount({ accountId: id }))
  t.match(expectOk(await ensureAccount(deps, { externalId: 'user-1' })), {
    id,
    disabledAtMicros: startMicros,
  })
})

t.test('an external id has 1 to 255 code points and no control characters', async (t) => {
  const { deps, sotto } = await createWorld()
  for (const [externalId, rule] of [
    ['', 'empty'],
    ['x'.repeat(256), 'too_long'],
    ['a\nb', 'control_character'],
    ['\ud800', 'lone_surrogate'],
  ] as const) {
    t.match(expectErr(await ensureAccount(deps, { externalId })), {
      code: 'fields_invalid',
      errors: [{ field: 'externalId', rule }],
    })
  }
  t.equal((await all(sotto.listAccounts())).length, 1)
})

t.test('an existing account is found without an attempt to insert it', async (t) => {
  const { deps } = await createWorld()
  expectOk(await ensureAccount(deps, { externalId: 'user-1' }))
  const { port: accounts, calls } = counting(deps.accounts)
  expectOk(await ensureAccount({ ...deps, accounts }, { externalId: 'user-1' }))
  t.strictSame(calls, { findByName: 1 })
})

t.test('an account that another call created first is looked up again', async (t) => {
  const { deps, accountId } = await createWorld()
  const input = { externalId: 'user-1' }
  const failed = { code: 'storage_failed', detail: 'broken' } as const
  const [row] = deps.data.accounts.values()
  for (const [second, expected] of [
    [okAsync(row?.account), accountId],
    [okAsync(undefined), { code: 'storage_unavailable', reason: 'busy' }],
    [errAsync(failed), failed],
  ] as const) {
    let finds = 0
    const accounts: typeof deps.accounts = {
      ...deps.accounts,
      findByName: () => ((finds += 1) === 1 ? okAsync(undefined) : second),
      insert: () => errAsync({ code: 'account_exists' }),
    }
    const ensured = await ensureAccount({ ...deps, accounts }, input)
    t.strictSame(ensured.isOk() ? ensured.value.id : ensured.error, expected)
  }
})
