import { reauthenticationMicros } from '../src/sessions/session.ts'
import { createFakePasskey, expectErr, expectOk } from '@sotto/test-kit'
import type { SottoErrorCode } from '@sotto/core'
import t from 'tap'
import type { FullSotto, FullSottoError, FullSottoErrorCode } from '../src/identity.ts'
import { passkeysMax } from '../src/passkeys/passkey.ts'
import { identitiesMax } from '../src/authenticators/identity.ts'
import { addPasskey, ceremonyOf, relyingParty, usedToSignIn } from './passkeys.ts'
import { email, homeAddress, unknownId } from '../../core/test/world.ts'
import {
  choosePassword,
  comeBack,
  connect,
  createWorld,
  goodPassword,
  makeHeld,
  operatorsLink,
  signInAs,
  withSignIn,
  type World,
} from './world.ts'

type IdentityErrorCode = Exclude<FullSottoErrorCode, SottoErrorCode>

/**
 * For each code that only a use-case of identity may return, a way to get it. The compiler refuses a code that is missing here and one that
 * is in no use-case's type; the test refuses one that no use-case returns.
 */
const examples: Readonly<Record<IdentityErrorCode, (world: World) => Promise<FullSottoError>>> = {
  token_invalid: async ({ sotto }) => expectErr(await sotto.authenticate({ token: 'sotto_' })),
  async account_disabled({ sotto, accountId }) {
    expectOk(await sotto.disableAccount({ accountId }))
    return expectErr(await sotto.resetAccount({ email }))
  },
  async too_many_mails({ sotto }) {
    const asked = { email, address: homeAddress, urlOf: (token: string) => token }
    for (let time = 0; time < 3; time += 1) expectOk(await sotto.requestReset(asked))
    return expectErr(await sotto.requestReset(asked))
  },
  access_token_not_found: async ({ sotto, accountId }) =>
    expectErr(await sotto.revokeAccessToken({ accountId, id: unknownId })),
  sign_in_wrong: ({ sotto }) => guess(sotto, 1),
  sign_in_locked: ({ sotto }) => guess(sotto, 6),
  session_invalid: async ({ sotto }) => expectErr(await sotto.authenticateSession({ token: '' })),
  session_not_found: async ({ sotto, accountId }) =>
    expectErr(await sotto.endSession({ accountId, id: unknownId })),
  async proof_required(world) {
    const session = await choosePassword(world)
    world.deps.clock.advance(reauthenticationMicros)
    const { accountId } = world
    return expectErr(await world.sotto.ensureReauthentication({ accountId, session, address: homeAddress }))
  },
  welcome_not_found: async ({ sotto }) => expectErr(await sotto.previewInvitation({ token: '' })),
  email_change_not_found: async ({ sotto }) => expectErr(await sotto.previewEmailChange({ token: '' })),
  async password_changed({ sotto, accountId }) {
    const change = { accountId, sessionId: unknownId, password: goodPassword }
    return expectErr(await sotto.changePassword(change))
  },
  async identity_provider_unreachable({ deps, sotto }) {
    deps.identityProvider.setReachable(false)
    return expectErr(await sotto.beginSso({ redirectUri: 'https://sotto.example/', fresh: false }))
  },
  sso_refused: async ({ sotto }) => expectErr(await sotto.endSessionsOfIdentity({ logoutToken: '' })),
  identity_refused: async (world) => expectErr(await signInAs(world)),
  async identity_taken(world) {
    await connect(world)
    const { id: accountId } = expectOk(await world.sotto.createAccount({ email: 'bob@example.org' }))
    return expectErr(await world.sotto.connectIdentity({ accountId, ...(await comeBack(world)) }))
  },
  async identity_limit_reached(world) {
    for (let nr = 0; nr < identitiesMax; nr += 1) await connect(world, { subject: String(nr) })
    const { sotto, accountId } = world
    return expectErr(await sotto.connectIdentity({ accountId, ...(await comeBack(world)) }))
  },
  identity_not_found: async ({ sotto, accountId }) =>
    expectErr(await sotto.removeIdentity({ accountId, id: unknownId })),
  async last_way_in(world) {
    const id = await connect(world)
    const { sotto, accountId } = world
    return expectErr(await sotto.disconnectIdentity({ accountId, id, sessionId: unknownId }))
  },
  async passkey_refused(world) {
    const { passkey } = await addPasskey(world)
    const used = await usedToSignIn(world, passkey, { origin: 'https://example.org' })
    return expectErr(await world.sotto.signInWithPasskey({ ...used, address: homeAddress }))
  },
  async passkey_taken(world) {
    await addPasskey(world)
    return addingError(world, `${world.accountId} Phone`)
  },
  async passkey_limit_reached(world) {
    for (let nr = 0; nr < passkeysMax; nr += 1) await addPasskey(world, { name: String(nr) })
    return addingError(world, 'one more')
  },
  passkey_not_found: async ({ sotto, accountId }) =>
    expectErr(await sotto.deletePasskey({ accountId, id: unknownId, sessionId: unknownId })),
  async sign_in_held(world) {
    const { accountId } = await makeHeld(world)
    const { email, token } = await operatorsLink(world, accountId)
    expectOk(await world.sotto.choosePassword({ token, password: goodPassword, address: homeAddress }))
    return expectErr(await world.sotto.signIn({ email, password: goodPassword, address: homeAddress }))
  },
  password_sign_in_off: async (world) => guess(withSignIn(world, { passwords: false }).sotto, 1),
}

for (const [code, example] of Object.entries(examples)) {
  t.test(`a use-case returns ${code}`, async (t) => {
    t.equal((await example(await createWorld())).code, code)
  })
}

/** Adds a passkey to the world's account. */
async function addingError({ sotto, accountId }: World, name: string): Promise<FullSottoError> {
  const session = { accountId, sessionId: unknownId }
  const { challenge } = expectOk(await sotto.beginPasskey(session))
  const made = createFakePasskey(name).made(ceremonyOf(challenge))
  return expectErr(await sotto.addPasskey({ ...session, name: 'Phone', made, relyingParty }))
}

/** Guesses a password so many times; the last error. */
async function guess(sotto: FullSotto, times: number): Promise<FullSottoError> {
  const input = { email, password: 'a wrong password', address: homeAddress }
  for (let time = 1; time < times; time += 1) expectErr(await sotto.signIn(input))
  return expectErr(await sotto.signIn(input))
}
