import t from 'tap'
import { expectErr, expectOk } from '@sotto/test-kit'
import { takeInvitation } from '../../src/single-sign-on/take-invitation.ts'
import { addWebhook, awayAddress, email } from '../../../core/test/world.ts'
import {
  addPasskey,
  choosePassword,
  comeBack,
  connect,
  createWorld,
  goodPassword,
  signInAs,
  type World,
} from '../world.ts'

const address = awayAddress

async function take(world: World, token: string, who: Parameters<typeof comeBack>[1] = {}) {
  return takeInvitation(world.deps, { token, ...(await comeBack(world, who)), address })
}

// Promise (Single sign-on): An invitation may be taken by an identity with another address
t.test('an invitation is taken with an identity of another address, once', async (t) => {
  const world = await createWorld()
  const { sotto, accountId } = world
  const { token } = expectOk(await sotto.inviteAccount({ email }))
  const session = expectOk(await take(world, token))
  t.equal(session.accountId, accountId)
  t.match(world.deps.data.knownAddresses, [{ accountId }])
  t.match(expectOk(await sotto.listIdentities({ accountId })).items, [{ origin: 'invited' }])
  t.strictSame(expectErr(await take(world, token)), { code: 'welcome_not_found' })
  t.equal(expectOk(await signInAs(world)).accountId, accountId)
  t.equal(world.deps.mailSender.attempts.length, 0, 'nothing was replaced')
})

t.test('of two that take an invitation at the same time one gets in', async (t) => {
  const world = await createWorld()
  const { token } = expectOk(await world.sotto.inviteAccount({ email }))
  const both = await Promise.all([take(world, token), take(world, token, { subject: 'somebody else' })])
  t.strictSame(
    both.flatMap((each) => (each.isErr() ? [each.error] : [])),
    [{ code: 'welcome_not_found' }],
  )
  t.equal(world.deps.data.identities.size, 1)
})

// Promise (Single sign-on): A used reset link removes identities, passkeys and webhooks of before
t.test('a reset that is taken replaces password, identities, passkeys and webhooks', async (t) => {
  const world = await createWorld()
  const { sotto, accountId } = world
  const old = await choosePassword(world)
  await connect(world, { subject: 'a former owner' })
  await addPasskey(world)
  await addWebhook(world)
  const { token } = expectOk(await sotto.resetAccount({ email }))
  const taken = expectOk(await take(world, token))
  t.strictSame(taken.removedWebhookHosts, ['hooks.example.org'])
  const shown = expectOk(await sotto.showAuthenticators({ accountId }))
  t.match(shown, { hasPassword: false, passkeys: 0 })
  t.equal(shown.identities.items.length, 1)
  t.strictSame(expectErr(await sotto.authenticateSession({ token: old.token })), { code: 'session_invalid' })
  t.equal(expectErr(await signInAs(world, { subject: 'a former owner' })).code, 'identity_refused')
  t.equal(expectErr(await sotto.signIn({ email, password: goodPassword, address })).code, 'sign_in_wrong')
  t.match(world.deps.mailSender.attempts.at(-1)?.content, { notice: 'password_changed' })
})

t.test('a reset that is used with a password removes identities and passkeys, too', async (t) => {
  const world = await createWorld()
  const { sotto, accountId } = world
  await connect(world)
  await addPasskey(world)
  const { token } = expectOk(await sotto.resetAccount({ email }))
  expectOk(await sotto.choosePassword({ token, password: goodPassword, address }))
  t.match(expectOk(await sotto.showAuthenticators({ accountId })), {
    hasPassword: true,
    passkeys: 0,
    identities: { items: [] },
  })
})

t.test('an invitation to an account without a password keeps its identities and passkeys', async (t) => {
  const world = await createWorld()
  const { sotto, accountId } = world
  await connect(world)
  await addPasskey(world)
  const { token } = expectOk(await sotto.inviteAccount({ email }))
  expectOk(await take(world, token, { subject: 'another' }))
  const shown = expectOk(await sotto.showAuthenticators({ accountId }))
  t.equal(shown.identities.items.length, 2)
  t.equal(shown.passkeys, 1)
})

t.test('one with an identity of another account is refused, and the link stays usable', async (t) => {
  const world = await createWorld()
  const { sotto, accountId } = world
  await connect(world)
  const { token } = expectOk(await sotto.inviteAccount({ email: 'bob@example.org' }))
  t.strictSame(expectErr(await take(world, token)), { code: 'identity_taken' })
  t.equal(expectOk(await sotto.listIdentities({ accountId })).items.length, 1)
  expectOk(await take(world, token, { subject: 'bob' }))
})

t.test('a callback that proves nothing leaves the link usable', async (t) => {
  const world = await createWorld()
  const { token } = expectOk(await world.sotto.inviteAccount({ email }))
  const callback = { ...(await comeBack(world)), pending: 'another' }
  const refused = await takeInvitation(world.deps, { token, ...callback, address })
  t.strictSame(expectErr(refused), { code: 'sso_refused', reason: 'state' })
  expectOk(await world.sotto.previewInvitation({ token }))
})
