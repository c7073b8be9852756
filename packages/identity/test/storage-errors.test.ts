import { createFakePasskey, expectOk } from '@sotto/test-kit'
import { createFullSotto, type FullSotto, type IdentityUseCases } from '../src/identity.ts'
import { reauthenticationMicros, sessionsMax } from '../src/sessions/session.ts'
import { lastOf, testFailingCalls, type Scenario } from '../../core/test/failing-calls.ts'
import { coreStores } from '../../core/test/failing-stores.ts'
import { awayAddress, email, homeAddress, newSecret, unknownId } from '../../core/test/world.ts'
import { addPasskey, ceremonyOf, relyingParty, usedAsProof, usedToSignIn } from './passkeys.ts'
import {
  choosePassword,
  comeBack,
  connect,
  createWorld,
  goodPassword,
  requestChange,
  signInAs,
  type World,
} from './world.ts'

const urlOf = (token: string): string => token

const scenarios: Readonly<
  Record<Exclude<keyof IdentityUseCases, 'beginSso' | 'beginPasskeySignIn'>, Scenario<World, FullSotto>>
> = {
  authenticate: async ({ sotto, accountId }) => {
    const { token } = expectOk(await sotto.createAccessToken({ accountId, name: 'ci' }))
    return (failing) => failing.authenticate({ token })
  },
  signIn: async (world) => {
    await choosePassword(world)
    const right = { email, password: goodPassword, address: awayAddress }
    for (let nr = 0; nr < sessionsMax; nr += 1) expectOk(await world.sotto.signIn(right))
    return (failing) => failing.signIn(right)
  },
  authenticateSession: async (world) => {
    const { token } = await choosePassword(world)
    return (failing) => failing.authenticateSession({ token })
  },
  listSessions: async (world) => {
    const { accountId } = await choosePassword(world)
    return (failing) => lastOf(failing.listSessions({ accountId, pageSize: 1 }))
  },
  nameSession: async (world) => {
    const { accountId, id } = await choosePassword(world)
    return (failing) => failing.nameSession({ accountId, id, name: 'laptop' })
  },
  endSession: async (world) => {
    const { accountId, id } = await choosePassword(world)
    return (failing) => failing.endSession({ accountId, id })
  },
  ensureReauthentication: async (world) => {
    const session = await choosePassword(world)
    world.deps.clock.advance(reauthenticationMicros)
    const proof = { accountId: world.accountId, session, password: goodPassword, address: awayAddress }
    return (failing) => failing.ensureReauthentication(proof)
  },
  signInWithIdentity: async (world) => {
    await connect(world)
    const callback = await comeBack(world)
    for (let nr = 0; nr < sessionsMax; nr += 1) expectOk(await signInAs(world))
    return (failing) => failing.signInWithIdentity({ ...callback, address: awayAddress })
  },
  takeInvitation: async (world) => {
    const { token } = expectOk(await world.sotto.inviteAccount({ email }))
    const callback = await comeBack(world)
    return (failing) => failing.takeInvitation({ token, ...callback, address: homeAddress })
  },
  reauthenticateWithIdentity: async (world) => {
    const { accountId, id: sessionId } = await choosePassword(world)
    await connect(world)
    const callback = await comeBack(world, { authenticatedAtMicros: world.deps.clock.nowMicros() })
    return (failing) => failing.reauthenticateWithIdentity({ accountId, sessionId, ...callback })
  },
  endSessionsOfIdentity: async ({ deps }) => {
    const logout = { subject: 'x', id: '1', expiresAtMicros: deps.clock.nowMicros() }
    const logoutToken = deps.identityProvider.logoutToken(logout)
    return (failing) => failing.endSessionsOfIdentity({ logoutToken })
  },
  showAuthenticators:
    async ({ accountId }) =>
    (failing) =>
      failing.showAuthenticators({ accountId }),
  listIdentities:
    async ({ accountId }) =>
    (failing) =>
      failing.listIdentities({ accountId }),
  connectIdentity: async (world) => {
    const callback = await comeBack(world)
    return (failing) => failing.connectIdentity({ accountId: world.accountId, ...callback })
  },
  disconnectIdentity: async (world) => {
    const { accountId, id: sessionId } = await choosePassword(world)
    const id = await connect(world)
    return (failing) => failing.disconnectIdentity({ accountId, id, sessionId })
  },
  removeIdentity: async (world) => {
    const id = await connect(world)
    return (failing) => failing.removeIdentity({ accountId: world.accountId, id })
  },
  listPasskeys:
    async ({ accountId }) =>
    (failing) =>
      failing.listPasskeys({ accountId }),
  signInWithPasskey: async (world) => {
    const { passkey } = await addPasskey(world)
    const signIn = async (sotto: FullSotto) =>
      sotto.signInWithPasskey({ ...(await usedToSignIn(world, passkey)), address: awayAddress })
    for (let nr = 0; nr < sessionsMax; nr += 1) expectOk(await signIn(world.sotto))
    const used = await usedToSignIn(world, passkey)
    return (failing) => failing.signInWithPasskey({ ...used, address: awayAddress })
  },
  beginPasskey:
    async ({ accountId }) =>
    (failing) =>
      failing.beginPasskey({ accountId, sessionId: unknownId }),
  addPasskey: async ({ sotto, accountId }) => {
    const session = { accountId, sessionId: unknownId }
    const { challenge } = expectOk(await sotto.beginPasskey(session))
    const made = createFakePasskey('mine').made(ceremonyOf(challenge))
    return (failing) => failing.addPasskey({ ...session, name: 'Phone', made, relyingParty })
  },
  beginPasskeyProof:
    async ({ accountId }) =>
    (failing) =>
      failing.beginPasskeyProof({ accountId, sessionId: unknownId, rpId: relyingParty.id }),
  reauthenticateWithPasskey: async (world) => {
    const { passkey } = await addPasskey(world)
    const { accountId, token } = await choosePassword(world)
    const { session } = expectOk(await world.sotto.authenticateSession({ token }))
    world.deps.clock.advance(reauthenticationMicros)
    const used = await usedAsProof(world, passkey, session)
    return (failing) =>
      failing.reauthenticateWithPasskey({ accountId, session, passkey: used, address: awayAddress })
  },
  deletePasskey: async (world) => {
    const { id } = await addPasskey(world)
    await choosePassword(world)
    const { accountId } = world
    return (failing) => failing.deletePasskey({ accountId, id, sessionId: unknownId })
  },
  previewInvitation: async ({ sotto }) => {
    const { token } = expectOk(await sotto.inviteAccount({ email }))
    return (failing) => failing.previewInvitation({ token })
  },
  choosePassword: async ({ sotto }) => {
    const { token } = expectOk(await sotto.inviteAccount({ email }))
    return (failing) => failing.choosePassword({ token, password: goodPassword, address: homeAddress })
  },
  changePassword: async (world) => {
    const { accountId, id: sessionId } = await choosePassword(world)
    return (failing) => failing.changePassword({ accountId, sessionId, password: `${goodPassword} 2` })
  },
  inviteAccount: async () => (failing) => failing.inviteAccount({ email: 'bob@example.org' }),
  resetAccount: async () => (failing) => failing.resetAccount({ email }),
  changeEmail:
    async ({ accountId }) =>
    (failing) =>
      failing.changeEmail({ accountId, email: 'bob@example.org' }),
  requestReset: async () => (failing) =>
    failing.requestReset({ email, address: homeAddress, urlOf }).andThen(({ mail }) => mail()),
  requestEmailChange:
    async ({ accountId }) =>
    (failing) =>
      failing.requestEmailChange({ accountId, email: 'bob@example.org', urlOf }),
  previewEmailChange: async (world) => {
    const token = await requestChange(world)
    return (failing) => failing.previewEmailChange({ token })
  },
  confirmEmailChange: async (world) => {
    const token = await requestChange(world)
    return (failing) => failing.confirmEmailChange({ token })
  },
  mailInvitation:
    async ({ accountId }) =>
    (failing) =>
      failing.mailInvitation({
        accountId,
        invitation: 'reset',
        url: 'https://example.org/w',
        expiresAtMicros: 0,
      }),
  exportAccount: async (world) => {
    const { accountId } = await choosePassword(world)
    expectOk(await world.sotto.createAccessToken({ accountId, name: 'ci' }))
    expectOk(await world.sotto.createSecret(newSecret(world)))
    expectOk(await world.sotto.saveDraft(newSecret(world)))
    return (failing) => lastOf(failing.exportAccount({ accountId }))
  },
  createAccessToken:
    async ({ accountId }) =>
    (failing) =>
      failing.createAccessToken({ accountId, name: 'ci' }),
  listAccessTokens:
    async ({ accountId }) =>
    (failing) =>
      lastOf(failing.listAccessTokens({ accountId })),
  revokeAccessToken: async ({ sotto, accountId }) => {
    const { id } = expectOk(await sotto.createAccessToken({ accountId, name: 'ci' }))
    return (failing) => failing.revokeAccessToken({ accountId, id })
  },
  sweepExpired: async () => (failing) => failing.sweepExpired(),
}

testFailingCalls(scenarios, {
  createWorld,
  create: (deps) => createFullSotto({ ports: deps, policy: deps.policy }),
  stores: [
    ...coreStores,
    ...['accessTokens', 'passwords', 'identities', 'passkeys', 'usedTokens', 'sessions', 'invitations'],
    ...['emailChanges', 'signIns'],
  ],
  ignored: {
    signIn: ['signIns.rememberAddress', 'sessions.page', 'sessions.erase'],
    choosePassword: ['signIns.rememberAddress'],
    signInWithIdentity: [
      'identities.recordUse',
      'signIns.rememberAddress',
      'sessions.page',
      'sessions.erase',
    ],
    takeInvitation: ['signIns.rememberAddress'],
    signInWithPasskey: ['signIns.rememberAddress', 'sessions.page', 'sessions.erase'],
  },
})
