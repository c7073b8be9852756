import t from 'tap'
import { createFakePasskey, expectErr, expectOk, type PasskeyCeremony } from '@sotto/test-kit'
import { passkeysMax } from '../../src/passkeys/passkey.ts'
import { userHandleOf } from '../../src/passkeys/verify-passkey.ts'
import { addPasskey, ceremonyOf, relyingParty } from '../passkeys.ts'
import { email, minuteMicros, unknownId } from '../../../core/test/world.ts'
import { choosePassword, createWorld, type World } from '../world.ts'

const passkey = createFakePasskey('mine')

t.test('a passkey is added with its name, which is encrypted', async (t) => {
  const world = await createWorld()
  const { accountId, deps } = world
  const added = expectOk(await add(world, {}, { name: 'Ünïcode 🔑' }))
  const fresh = {
    rpId: 'sotto.example',
    createdAtMicros: deps.clock.nowMicros(),
    lastUsedAtMicros: undefined,
  }
  t.strictSame(added, { id: added.id, name: 'Ünïcode 🔑', ...fresh })
  t.strictSame(expectOk(await world.sotto.listPasskeys({ accountId })).items, [added])
  const [stored] = expectOk(await deps.passkeys.list(accountId))
  t.notOk(Buffer.from(stored?.name.ciphertext ?? []).includes('nïcode'))
  t.equal(Buffer.from(stored?.credentialId ?? []).toString('base64url'), passkey.credentialId)
})

t.test('a browser is told who it is for, and which passkeys there are', async (t) => {
  const world = await createWorld()
  const { accountId } = world
  const session = { accountId, sessionId: unknownId }
  const first = expectOk(await world.sotto.beginPasskey(session))
  t.strictSame([first.userName, first.known], [email, []])
  t.equal(Buffer.from(first.userHandle, 'base64url').toString(), accountId)
  expectOk(await add(world))
  t.strictSame(expectOk(await world.sotto.beginPasskey(session)).known, [passkey.credentialId])
  expectErr(await world.sotto.beginPasskey({ ...session, accountId: unknownId }), 'account_not_found')
  const { id: nameless } = expectOk(await world.sotto.ensureAccount({ externalId: 'user-1' }))
  const beginning = expectOk(await world.sotto.beginPasskey({ ...session, accountId: nameless }))
  t.equal(beginning.userName, '', 'an account without an email address')
})

// Promise (The owner's pages): No passkey is added about which anything is wrong.
t.test('each thing that is wrong is refused, and says to the operator what', async (t) => {
  const world = await createWorld()
  const changes: readonly (readonly [reason: string, change: Partial<PasskeyCeremony>])[] = [
    ['type', { type: 'webauthn.get' }],
    ['challenge', { challenge: 'AAAA' }],
    ['challenge', { challenge: expectOk(await world.sotto.beginPasskeySignIn()) }],
    ['origin', { origin: 'https://example.org' }],
    ['cross_origin', { topOrigin: 'https://example.org' }],
    ['relying_party', { rpId: 'example.org' }],
    ['user_absent', { isUserPresent: false }],
    ['user_unverified', { isUserVerified: false }],
    ['backup_flags', { isBackedUp: true }],
  ]
  for (const [reason, change] of changes)
    t.strictSame(expectErr(await add(world, change)), { code: 'passkey_refused', reason })
  const { made } = await beginning(world)
  const other = createFakePasskey('another')
  const swapped = { ...made, credentialId: other.credentialId }
  const session = { accountId: world.accountId, sessionId: unknownId, name: 'Phone', relyingParty }
  const refused = async (sent: typeof made) =>
    expectErr(await world.sotto.addPasskey({ ...session, made: sent }), 'passkey_refused').reason
  t.equal(await refused(swapped), 'credential')
  t.equal(await refused({ ...made, authenticatorData: '' }), 'malformed')
  t.equal(expectOk(await world.sotto.listPasskeys({ accountId: world.accountId })).items.length, 0)
})

t.test('a challenge is for the session that asked, for ten minutes, once', async (t) => {
  const world = await createWorld()
  const { made } = await beginning(world)
  const input = { accountId: world.accountId, sessionId: unknownId, name: 'Phone', made, relyingParty }
  const reasonOf = async (changes: Partial<typeof input>) =>
    expectErr(await world.sotto.addPasskey({ ...input, ...changes }), 'passkey_refused').reason
  t.equal(await reasonOf({ sessionId: world.accountId }), 'challenge')
  expectOk(await world.sotto.addPasskey(input))
  t.equal(await reasonOf({}), 'challenge_used')
  const later = await beginning(world)
  world.deps.clock.advance(10 * minuteMicros)
  t.equal(await reasonOf({ made: later.made }), 'challenge')
})

t.test('a name that breaks a rule is refused before the challenge is used', async (t) => {
  const world = await createWorld()
  const { made } = await beginning(world)
  const input = { accountId: world.accountId, sessionId: unknownId, made, relyingParty }
  for (const [name, rule] of [
    ['', 'empty'],
    ['a\nb', 'control_character'],
    ['x'.repeat(256), 'too_long'],
  ] as const) {
    t.match(expectErr(await world.sotto.addPasskey({ ...input, name })), {
      code: 'fields_invalid',
      errors: [{ field: 'name', rule }],
    })
  }
  expectOk(await world.sotto.addPasskey({ ...input, name: 'x'.repeat(255) }))
})

t.test('an account has ten at most, and no passkey is of two', async () => {
  const world = await createWorld()
  for (let nr = 0; nr < passkeysMax; nr += 1) await addPasskey(world, { name: `Key ${String(nr)}` })
  expectErr(await add(world), 'passkey_limit_reached')
  const other = expectOk(await world.sotto.createAccount({ email: 'bob@example.org' })).id
  const first = createFakePasskey(`${world.accountId} Key 0`)
  const begun = expectOk(await world.sotto.beginPasskey({ accountId: other, sessionId: unknownId }))
  const made = first.made(ceremonyOf(begun.challenge))
  const input = { accountId: other, sessionId: unknownId, name: 'Phone', made, relyingParty }
  expectErr(await world.sotto.addPasskey(input), 'passkey_taken')
})

t.test('a disabled account gets none', async () => {
  const world = await createWorld()
  await choosePassword(world)
  const { made } = await beginning(world)
  expectOk(await world.sotto.disableAccount({ accountId: world.accountId }))
  const input = { accountId: world.accountId, sessionId: unknownId, name: 'Phone', made, relyingParty }
  expectErr(await world.sotto.addPasskey(input), 'account_not_found')
})

t.test('two accounts have different handles', (t) => {
  t.not(userHandleOf(unknownId), userHandleOf(unknownId.replace('7', '4')))
  t.end()
})

async function beginning({ sotto, accountId }: World, change: Partial<PasskeyCeremony> = {}) {
  const { challenge } = expectOk(await sotto.beginPasskey({ accountId, sessionId: unknownId }))
  return { made: passkey.made({ ...ceremonyOf(challenge), ...change }) }
}

async function add(world: World, change: Partial<PasskeyCeremony> = {}, { name = 'Phone' } = {}) {
  const { made } = await beginning(world, change)
  const { accountId } = world
  return world.sotto.addPasskey({ accountId, sessionId: unknownId, name, made, relyingParty })
}
