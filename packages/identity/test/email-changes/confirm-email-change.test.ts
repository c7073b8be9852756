import { rotateKeys } from '@sotto/core'
import t from 'tap'
import { createMemoryMailSender, expectErr, expectOk } from '@sotto/test-kit'
import { confirmEmailChange } from '../../src/email-changes/confirm-email-change.ts'
import { awayAddress, dayMicros, email, inOtherProcess } from '../../../core/test/world.ts'
import { choosePassword, createWorld, goodPassword, requestChange, type World } from '../world.ts'

const notFound = { code: 'email_change_not_found' }
const typed = { password: goodPassword, address: awayAddress }

t.test('the account has the new address, signs in with it, and the old one is told', async (t) => {
  const world = await createWorld()
  const { deps, sotto, accountId } = world
  await choosePassword(world)
  expectOk(await sotto.setLanguage({ accountId, language: 'fr' }))
  const token = await requestChange(world)
  const { mailed, ...changed } = expectOk(await confirmEmailChange(deps, { token }))
  t.strictSame(changed, { accountId })
  expectOk(await mailed)
  t.match(deps.mailSender.attempts.at(-1), {
    to: email,
    language: 'fr',
    content: { kind: 'notice', notice: 'email_changed' },
  })
  expectOk(await sotto.signIn({ ...typed, email: 'ada@new.example' }))
  t.strictSame(expectErr(await sotto.signIn({ ...typed, email })), { code: 'sign_in_wrong' })
  t.strictSame(expectErr(await confirmEmailChange(deps, { token })), notFound, 'once')
})

t.test('of several simultaneous uses of a link one succeeds', async (t) => {
  const world = await createWorld()
  const token = await requestChange(world)
  const all = await Promise.all(Array.from({ length: 5 }, () => confirmEmailChange(world.deps, { token })))
  t.equal(all.filter((each) => each.isOk()).length, 1)
  for (const each of all) if (each.isErr()) t.strictSame(each.error, notFound)
})

/** What ends a link, besides its use. */
const endings: Readonly<Record<string, (world: World) => Promise<unknown>>> = {
  'a day': ({ deps }) => {
    deps.clock.advance(dayMicros)
    return Promise.resolve()
  },
  'another change that is asked for': (world) => requestChange(world, 'other@new.example'),
  'one to an address that another account has': async ({ sotto, accountId }) => {
    expectOk(await sotto.createAccount({ email: 'bob@example.org' }))
    expectOk(await sotto.requestEmailChange({ accountId, email: 'bob@example.org', urlOf: (token) => token }))
  },
  'a change of the email by the operator': async ({ sotto, accountId }) =>
    expectOk(await sotto.changeEmail({ accountId, email: 'operator@example.org' })),
  'a new password': async (world) => {
    const { id: sessionId, accountId } = await choosePassword(world)
    await requestChange(world)
    return expectOk(await world.sotto.changePassword({ accountId, sessionId, password: 'quite another one' }))
  },
  'a one-time link that is used': (world) => choosePassword(world),
  'the account being disabled': async ({ sotto, accountId }) =>
    expectOk(await sotto.disableAccount({ accountId })),
  'its deletion': async ({ sotto, accountId }) => expectOk(await sotto.deleteAccount({ accountId })),
}

for (const [what, end] of Object.entries(endings)) {
  t.test(`a link is ended by ${what}`, async (t) => {
    const world = await createWorld()
    const token = await requestChange(world)
    if (what === 'a day') world.deps.clock.advance(-1)
    await end(world)
    if (what === 'a day') {
      t.equal(expectOk(await world.sotto.previewEmailChange({ token })).email, 'ada@new.example')
      world.deps.clock.advance(1)
    }
    t.strictSame(expectErr(await world.sotto.previewEmailChange({ token })), notFound)
    t.strictSame(expectErr(await confirmEmailChange(world.deps, { token })), notFound)
  })
}

t.test('an address that another account got in the meantime stays there', async (t) => {
  const world = await createWorld()
  const token = await requestChange(world)
  const { sotto, deps, accountId } = world
  const other = expectOk(await sotto.createAccount({ email: 'ada@new.example' }))
  t.strictSame(expectErr(await confirmEmailChange(deps, { token })), { code: 'account_exists' })
  t.equal(expectOk(await sotto.getAccount({ accountId })).email, email)
  t.equal(expectOk(await sotto.findAccount({ email: 'ada@new.example' })).id, other.id)
})

t.test('a mail that cannot be sent does not undo the change', async (t) => {
  const world = await createWorld()
  const token = await requestChange(world)
  const failed = { code: 'send_failed', reason: 'timeout', verdict: 'retry' } as const
  const mailSender = createMemoryMailSender({ answer: () => failed })
  const { mailed } = expectOk(await confirmEmailChange({ ...world.deps, mailSender }, { token }))
  t.strictSame(expectErr(await mailed), failed)
  t.equal(expectOk(await world.sotto.findAccount({ email: 'ada@new.example' })).id, world.accountId)
})

t.test(
  'a link outlives a rotation of the keys, also on a machine that has not read the new key',
  async (t) => {
    const world = await createWorld()
    const token = await requestChange(world)
    const other = inOtherProcess(world.deps)
    expectOk(await rotateKeys(world.deps))
    expectOk(await world.sotto.retireKey({ kid: 1 }))
    expectOk(await confirmEmailChange(other, { token }))
    t.equal(expectOk(await world.sotto.findAccount({ email: 'ada@new.example' })).id, world.accountId)
  },
)

t.test('a corrupted change is corruption, and the sweep erases what is over', async (t) => {
  const world = await createWorld()
  const token = await requestChange(world)
  const { deps, sotto, accountId } = world
  const row = deps.data.emailChanges.get(accountId)!
  const corrupted = { ...row, change: { ...row.change, email: row.change.email.map((byte) => byte ^ 1) } }
  deps.data.emailChanges.set(accountId, corrupted as typeof row)
  t.match(expectErr(await sotto.previewEmailChange({ token })), { code: 'data_damaged' })
  deps.clock.advance(dayMicros)
  expectOk(await sotto.sweepExpired())
  t.equal(deps.data.emailChanges.size, 0)
})
