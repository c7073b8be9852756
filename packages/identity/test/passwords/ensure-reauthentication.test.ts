import t from 'tap'
import { expectErr, expectOk } from '@sotto/test-kit'
import { ResultAsync } from 'neverthrow'
import { ensureReauthentication } from '../../src/passwords/ensure-reauthentication.ts'
import {
  awayAddress,
  email,
  homeAddress,
  minuteMicros,
  recording,
  unknownId,
} from '../../../core/test/world.ts'
import { choosePassword, createWorld, goodPassword, type World } from '../world.ts'

const required = { code: 'proof_required' }
const wrong = { code: 'password_wrong' }
const locked = (retryAfterSeconds: number) => ({
  code: 'sign_in_locked',
  reason: 'wrong_passwords',
  retryAfterSeconds,
})

t.test('within ten minutes of the sign-in nothing is asked', async (t) => {
  const { world, proof } = await signedIn()
  world.deps.clock.advance(10 * minuteMicros - 1)
  const { deps, calls } = recording(world.deps, ['accounts', 'passwords', 'signIns', 'passwordHasher'])
  expectOk(await ensureReauthentication(deps, proof))
  expectOk(await ensureReauthentication(deps, { ...proof, password: 'whatever' }))
  t.strictSame(calls, [])
  world.deps.clock.advance(1)
  t.strictSame(expectErr(await ensureReauthentication(deps, proof)), required)
  t.strictSame(expectErr(await ensureReauthentication(deps, { ...proof, password: '' })), required)
})

t.test('the right password makes the session fresh for ten minutes', async (t) => {
  const { world, proof, token } = await signedIn()
  world.deps.clock.advance(60 * minuteMicros)
  expectOk(await ensureReauthentication(world.deps, { ...proof, password: goodPassword }))
  world.deps.clock.advance(10 * minuteMicros - 1)
  const { session } = expectOk(await world.sotto.authenticateSession({ token }))
  expectOk(await ensureReauthentication(world.deps, { ...proof, session }))
  world.deps.clock.advance(1)
  t.strictSame(expectErr(await ensureReauthentication(world.deps, { ...proof, session })), required)
})

t.test('a session that was proven in the future is not fresh', async (t) => {
  const { world, proof } = await signedIn()
  world.deps.clock.advance(-1)
  t.strictSame(expectErr(await ensureReauthentication(world.deps, proof)), required)
})

t.test('five wrong passwords lock the session, from whatever addresses, and nothing else', async (t) => {
  const { world, proof } = await signedIn()
  world.deps.clock.advance(10 * minuteMicros)
  const elsewhere = { email, password: goodPassword, address: awayAddress }
  const { token: _, accountId, ...session } = expectOk(await world.sotto.signIn(elsewhere))
  world.deps.clock.advance(10 * minuteMicros)
  for (let nr = 0; nr < 5; nr += 1) {
    const guess = { ...proof, address: `203.0.113.${String(nr)}`, password: 'a guess' }
    t.strictSame(expectErr(await ensureReauthentication(world.deps, guess)), wrong)
  }
  t.strictSame(
    expectErr(await ensureReauthentication(world.deps, { ...proof, password: goodPassword })),
    locked(900),
  )
  expectOk(await ensureReauthentication(world.deps, { ...elsewhere, accountId, session }))
  expectOk(await world.sotto.signIn({ ...elsewhere, address: '203.0.113.9' }))
})

t.test('failures to sign in from elsewhere do not lock an owner out of the re-authentication', async (t) => {
  const { world, proof } = await signedIn()
  world.deps.clock.advance(10 * minuteMicros)
  for (let nr = 0; nr < 5; nr += 1) {
    const guess = { email, password: 'a guess', address: awayAddress }
    t.strictSame(expectErr(await world.sotto.signIn(guess)), { code: 'sign_in_wrong' })
  }
  const onTheWay = { ...proof, address: '203.0.113.1', password: goodPassword }
  expectOk(await ensureReauthentication(world.deps, onTheWay))
})

t.test('wrong passwords count for the address like failures to sign in', async (t) => {
  const { world, proof } = await signedIn()
  world.deps.clock.advance(10 * minuteMicros)
  for (let nr = 0; nr < 19; nr += 1) {
    const guess = { email: `nr${String(nr)}@example.org`, password: 'a guess', address: homeAddress }
    t.strictSame(expectErr(await world.sotto.signIn(guess)), { code: 'sign_in_wrong' })
  }
  t.strictSame(expectErr(await ensureReauthentication(world.deps, { ...proof, password: 'a guess' })), wrong)
  const atHome = { ...proof, password: goodPassword }
  t.strictSame(expectErr(await ensureReauthentication(world.deps, atHome)), locked(3_600))
})

t.test('a password that no account can have is wrong without being hashed', async (t) => {
  const { world, proof } = await signedIn()
  world.deps.clock.advance(10 * minuteMicros)
  const { deps, calls } = recording(world.deps, ['accounts', 'passwords', 'signIns', 'passwordHasher'])
  t.strictSame(
    expectErr(await ensureReauthentication(deps, { ...proof, password: 'x'.repeat(1_025) })),
    wrong,
  )
  t.strictSame(calls, [])
})

t.test('an account without a password cannot be proven, one that is gone is not found', async (t) => {
  const { world, proof } = await signedIn()
  world.deps.clock.advance(10 * minuteMicros)
  const { id: accountId } = expectOk(await world.sotto.ensureAccount({ externalId: 'user-1' }))
  const typed = { ...proof, password: goodPassword }
  t.strictSame(expectErr(await ensureReauthentication(world.deps, { ...typed, accountId })), wrong)
  t.strictSame(expectErr(await ensureReauthentication(world.deps, { ...typed, accountId: unknownId })), {
    code: 'account_not_found',
  })
})

t.test('a password that is changed while the hash is computed proves nothing', async (t) => {
  const { world, proof } = await signedIn()
  world.deps.clock.advance(10 * minuteMicros)
  const { passwordHasher } = world.deps
  const hash: typeof passwordHasher.hash = (job) =>
    new ResultAsync(choosePassword(world, 'quite another password').then(() => passwordHasher.hash(job)))
  const deps = { ...world.deps, passwordHasher: { ...passwordHasher, hash } }
  t.strictSame(expectErr(await ensureReauthentication(deps, { ...proof, password: goodPassword })), {
    code: 'session_not_found',
  })
})

async function signedIn() {
  const world: World = await createWorld()
  const { token, accountId, ...session } = await choosePassword(world)
  return { world, token, proof: { accountId, session, address: homeAddress } }
}
