import t from 'tap'
import { expectErr, expectOk } from '@sotto/test-kit'
import { ResultAsync } from 'neverthrow'
import { ensureProof } from '../../src/use-cases/ensure-proof.ts'
import {
  awayAddress,
  choosePassword,
  createWorld,
  email,
  goodPassword,
  homeAddress,
  minuteMicros,
  recording,
  unknownId,
  type World,
} from '../world.ts'

const required = { code: 'proof_required' }
const wrong = { code: 'password_wrong' }

t.test('within ten minutes of the sign-in nothing is asked', async (t) => {
  const { world, proof } = await signedIn()
  world.deps.clock.advance(10 * minuteMicros - 1)
  const { deps, calls } = recording(world.deps, ['accounts', 'passwords', 'signIns', 'passwordHasher'])
  expectOk(await ensureProof(deps, proof))
  expectOk(await ensureProof(deps, { ...proof, password: 'whatever' }))
  t.strictSame(calls, [])
  world.deps.clock.advance(1)
  t.strictSame(expectErr(await ensureProof(deps, proof)), required)
  t.strictSame(expectErr(await ensureProof(deps, { ...proof, password: '' })), required)
})

t.test('the right password makes the session fresh for ten minutes', async (t) => {
  const { world, proof, token } = await signedIn()
  world.deps.clock.advance(60 * minuteMicros)
  expectOk(await ensureProof(world.deps, { ...proof, password: goodPassword }))
  world.deps.clock.advance(10 * minuteMicros - 1)
  const { session } = expectOk(await world.sotto.authenticateSession({ token }))
  expectOk(await ensureProof(world.deps, { ...proof, session }))
  world.deps.clock.advance(1)
  t.strictSame(expectErr(await ensureProof(world.deps, { ...proof, session })), required)
})

t.test('a session that was proven in the future is not fresh', async (t) => {
  const { world, proof } = await signedIn()
  world.deps.clock.advance(-1)
  t.strictSame(expectErr(await ensureProof(world.deps, proof)), required)
})

t.test('wrong passwords count like failures to sign in', async (t) => {
  const { world, proof } = await signedIn()
  world.deps.clock.advance(10 * minuteMicros)
  const away = { ...proof, address: awayAddress }
  for (let nr = 0; nr < 5; nr += 1) {
    t.strictSame(expectErr(await ensureProof(world.deps, { ...away, password: 'a guess' })), wrong)
  }
  const locked = { code: 'sign_in_locked', reason: 'wrong_passwords', retryAfterSeconds: 900 }
  t.strictSame(expectErr(await ensureProof(world.deps, { ...away, password: goodPassword })), locked)
  const elsewhere = { email, password: goodPassword, address: '203.0.113.1' }
  t.strictSame(expectErr(await world.sotto.signIn(elsewhere)), locked)
  expectOk(await ensureProof(world.deps, { ...proof, password: goodPassword }))
})

t.test('a password that no account can have is wrong at once', async (t) => {
  const { world, proof } = await signedIn()
  world.deps.clock.advance(10 * minuteMicros)
  const { deps, calls } = recording(world.deps, ['accounts', 'passwords', 'signIns', 'passwordHasher'])
  t.strictSame(expectErr(await ensureProof(deps, { ...proof, password: 'x'.repeat(1_025) })), wrong)
  t.strictSame(calls, [])
})

t.test('an account without a password cannot be proven, one that is gone is not found', async (t) => {
  const { world, proof } = await signedIn()
  world.deps.clock.advance(10 * minuteMicros)
  const { id: accountId } = expectOk(await world.sotto.ensureAccount({ externalId: 'user-1' }))
  const typed = { ...proof, password: goodPassword }
  t.strictSame(expectErr(await ensureProof(world.deps, { ...typed, accountId })), wrong)
  t.strictSame(expectErr(await ensureProof(world.deps, { ...typed, accountId: unknownId })), {
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
  t.strictSame(expectErr(await ensureProof(deps, { ...proof, password: goodPassword })), {
    code: 'session_not_found',
  })
})

async function signedIn() {
  const world: World = await createWorld()
  const { token, accountId, ...session } = await choosePassword(world)
  return { world, token, proof: { accountId, session, address: homeAddress } }
}
