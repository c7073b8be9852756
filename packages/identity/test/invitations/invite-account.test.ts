import t from 'tap'
import { expectErr, expectOk } from '@sotto/test-kit'
import { inviteAccount } from '../../src/invitations/invitations.ts'
import { all, minuteMicros, startMicros } from '../../../core/test/world.ts'
import { createWorld } from '../world.ts'

const lifetimeMicros = 72 * 60 * minuteMicros

t.test('an invitation makes the account where it is missing, and works for 72 hours', async (t) => {
  const { deps, sotto } = await createWorld()
  const made = expectOk(await inviteAccount(deps, { email: ' Bob@Example.org' }))
  t.match(made, {
    kind: 'invite',
    expiresAtMicros: startMicros + lifetimeMicros,
    account: { email: 'bob@example.org' },
  })
  t.equal((await all(sotto.listAccounts())).length, 2)
  deps.clock.advance(lifetimeMicros - 1)
  t.strictSame(expectOk(await sotto.previewInvitation({ token: made.token })).account, made.account)
  deps.clock.advance(1)
  t.strictSame(expectErr(await sotto.previewInvitation({ token: made.token })), { code: 'welcome_not_found' })
})

t.test('an invited account has a folder “Inbox”, unless it has another one', async (t) => {
  const { deps, sotto, accountId } = await createWorld()
  const labels = async (id: string) =>
    (await all(sotto.listFolders({ accountId: id }))).map(({ label }) => label)
  for (const _ of ['new', 'again']) {
    const { account } = expectOk(await inviteAccount(deps, { email: 'bob@example.org' }))
    t.strictSame(await labels(account.id), ['Inbox'])
  }
  expectOk(await inviteAccount(deps, { email: 'ada@example.org' }))
  t.strictSame(await labels(accountId), ['First'])
})

t.test('an existing account is invited again, and the older link ends', async (t) => {
  const { deps, sotto, accountId } = await createWorld()
  const older = expectOk(await inviteAccount(deps, { email: 'ada@example.org' }))
  const newer = expectOk(await inviteAccount(deps, { email: 'ADA@example.org' }))
  t.equal(newer.account.id, accountId)
  t.strictSame(expectErr(await sotto.previewInvitation({ token: older.token })), {
    code: 'welcome_not_found',
  })
  expectOk(await sotto.previewInvitation({ token: newer.token }))
  t.notOk(JSON.stringify([...deps.data.invitations]).includes(newer.token), 'the token is not stored')
})

t.test('an invitation says whether it replaces a password, and then ends the access tokens', async (t) => {
  const { deps, sotto, accountId } = await createWorld()
  const access = { accountId, name: 'laptop', expiresInSeconds: undefined }
  for (const replacesPassword of [false, true]) {
    const { token } = expectOk(await sotto.createAccessToken(access))
    const made = expectOk(await inviteAccount(deps, { email: 'ada@example.org' }))
    t.equal(made.replacesPassword, replacesPassword)
    const chosen = { token: made.token, password: 'four words in a row', address: '192.0.2.1' }
    expectOk(await sotto.choosePassword(chosen))
    t.equal((await sotto.authenticate({ token })).isErr(), replacesPassword)
  }
})

t.test('something that is no email, and a disabled account, are refused', async (t) => {
  const { deps, sotto, accountId } = await createWorld()
  t.match(expectErr(await inviteAccount(deps, { email: 'ada' })), {
    code: 'fields_invalid',
    errors: [{ field: 'email', rule: 'not_an_email' }],
  })
  expectOk(await sotto.disableAccount({ accountId }))
  t.strictSame(expectErr(await inviteAccount(deps, { email: 'ada@example.org' })), {
    code: 'account_disabled',
  })
  t.equal(deps.data.invitations.size, 0)
})
