import t from 'tap'
import { expectErr, expectOk } from '@sotto/test-kit'
import { changeEmail } from '../../src/email-changes/change-email.ts'
import { awayAddress, email, unknownId } from '../../../core/test/world.ts'
import { choosePassword, createWorld, goodPassword } from '../world.ts'

t.test('the new email is the name for signing in, and the old one is free', async (t) => {
  const world = await createWorld()
  const { deps, sotto, accountId } = world
  await choosePassword(world)
  expectOk(await changeEmail(deps, { accountId, email: ' Ada@New.example ' }))
  t.equal(expectOk(await sotto.getAccount({ accountId })).email, 'ada@new.example')
  const typed = { password: goodPassword, address: awayAddress }
  expectOk(await sotto.signIn({ ...typed, email: 'ada@new.example' }))
  t.strictSame(expectErr(await sotto.signIn({ ...typed, email })), { code: 'sign_in_wrong' })
  expectOk(await sotto.createAccount({ email }))
})

t.test('the old address is told, unless nothing changed or there is no mail server', async (t) => {
  const { deps, accountId } = await createWorld()
  const { mailed } = expectOk(await changeEmail(deps, { accountId, email: 'ada@new.example' }))
  expectOk(await mailed)
  expectOk(await changeEmail(deps, { accountId, email: 'ADA@new.example' }))
  expectOk(await changeEmail({ ...deps, mailSender: undefined }, { accountId, email: 'ada@third.example' }))
  t.match(deps.mailSender.attempts, [{ to: email, content: { kind: 'notice', notice: 'email_changed' } }])
  t.equal(deps.mailSender.attempts.length, 1)
})

t.test('another account’s email and something that is no email are refused', async (t) => {
  const { deps, sotto, accountId } = await createWorld()
  expectOk(await sotto.createAccount({ email: 'bob@example.org' }))
  t.strictSame(expectErr(await changeEmail(deps, { accountId, email: 'BOB@example.org' })), {
    code: 'account_exists',
  })
  t.match(expectErr(await changeEmail(deps, { accountId, email: 'bob' })), {
    code: 'fields_invalid',
    errors: [{ field: 'email', rule: 'not_an_email' }],
  })
  t.equal(expectOk(await sotto.getAccount({ accountId })).email, email)
  expectOk(await changeEmail(deps, { accountId, email: email.toUpperCase() }))
  t.strictSame(expectErr(await changeEmail(deps, { accountId: unknownId, email: 'eve@example.org' })), {
    code: 'account_not_found',
  })
})
