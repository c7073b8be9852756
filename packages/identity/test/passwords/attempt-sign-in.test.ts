import type { HasherBusy } from '@sotto/core'
import t from 'tap'
import { expectErr, expectOk, failing } from '@sotto/test-kit'
import { errAsync, ResultAsync, type Result } from 'neverthrow'
import { signIn } from '../../src/passwords/sign-in.ts'
import {
  awayAddress,
  counting,
  dayMicros,
  email,
  homeAddress,
  minuteMicros,
  secondMicros,
  startMicros,
} from '../../../core/test/world.ts'
import { choosePassword, createWorld, goodPassword, type World } from '../world.ts'

const right = { email, password: goodPassword, address: awayAddress }
const wrong = { ...right, password: 'a wrong password' }
const signInWrong = { code: 'sign_in_wrong' }
const lockedFor = (retryAfterSeconds: number) => ({
  code: 'sign_in_locked',
  reason: 'wrong_passwords',
  retryAfterSeconds,
})
const underWay = { code: 'sign_in_locked', reason: 'attempts_under_way', retryAfterSeconds: 1 }

for (const [name, address] of [
  ['an account', email],
  ['an unknown email', 'nobody@example.org'],
] as const) {
  t.test(`five failures in ten minutes lock ${name} for fifteen, from whatever addresses`, async (t) => {
    const world = await worldWithPassword()
    await fail(world, 5, (nr) => ({ email: nr === 1 ? ` ${address.toUpperCase()}` : address }))
    world.deps.clock.advance(1)
    t.strictSame(expectErr(await signIn(world.deps, { ...right, email: address })), lockedFor(900))
    world.deps.clock.set(startMicros + 15 * minuteMicros - 1)
    t.strictSame(expectErr(await signIn(world.deps, { ...right, email: address })), lockedFor(1))
    world.deps.clock.advance(1)
    const again = await signIn(world.deps, { ...right, email: address })
    if (address === email) expectOk(again)
    else t.strictSame(expectErr(again), signInWrong)
  })
}

t.test('an address that signed in before is never locked out by failures from elsewhere', async (t) => {
  const world = await worldWithPassword()
  await fail(world, 5)
  t.strictSame(expectErr(await signIn(world.deps, right)), lockedFor(900))
  expectOk(await signIn(world.deps, { ...right, address: homeAddress }))
})

t.test('failures from a known address lock no other address out', async () => {
  const world = await worldWithPassword()
  await fail(world, 5, () => ({ address: homeAddress }))
  expectOk(await signIn(world.deps, right))
})

t.test('two accounts that know an address are locked apart from each other', async (t) => {
  const world = await worldWithPassword()
  const bob = expectOk(await world.sotto.inviteAccount({ email: 'bob@example.org' }))
  expectOk(
    await world.sotto.choosePassword({ token: bob.token, password: goodPassword, address: homeAddress }),
  )
  await fail(world, 5, () => ({ email: 'bob@example.org', address: homeAddress }))
  const bobAtHome = { ...right, email: 'bob@example.org', address: homeAddress }
  t.strictSame(expectErr(await signIn(world.deps, bobAtHome)), lockedFor(900))
  expectOk(await signIn(world.deps, { ...right, address: homeAddress }))
})

// Promise (The owner's pages): From a known address, an account is locked like an unknown one
t.test('from a known address an account and an unknown email are locked alike', async (t) => {
  const answersTo = async (typed: string) => {
    const world = await worldWithPassword()
    const answers = []
    for (let nr = 0; nr < 7; nr += 1) {
      const input = { ...wrong, email: typed, address: homeAddress }
      answers.push(expectErr(await signIn(world.deps, input)))
      world.deps.clock.advance(secondMicros)
    }
    return answers
  }
  const answers = await answersTo(email)
  t.strictSame(answers, [...Array<unknown>(5).fill(signInWrong), lockedFor(899), lockedFor(898)])
  t.strictSame(await answersTo('nobody@example.org'), answers)
})

t.test('an address is known for one account, for ninety days, and from the sign-in on', async (t) => {
  const world = await worldWithPassword()
  const bob = expectOk(await world.sotto.inviteAccount({ email: 'bob@example.org' }))
  const chosen = { token: bob.token, password: goodPassword, address: '203.0.113.1' }
  expectOk(await world.sotto.choosePassword(chosen))
  expectOk(await signIn(world.deps, { ...right, address: chosen.address }))
  const stored = world.deps.data.knownAddresses.map(({ address }) => Buffer.from(address).toString('hex'))
  t.equal(new Set(stored).size, 3, 'what is stored does not tell that two accounts share an address')
  await fail(world, 5, () => ({ email: 'bob@example.org' }))
  const bobAtHome = { ...right, email: 'bob@example.org', address: homeAddress }
  t.strictSame(expectErr(await signIn(world.deps, bobAtHome)), lockedFor(900))
  world.deps.clock.advance(90 * dayMicros)
  expectOk(await signIn(world.deps, right))
  world.deps.clock.advance(1)
  await fail(world, 5)
  const atHome = { ...right, address: homeAddress }
  t.strictSame(expectErr(await signIn(world.deps, atHome)), lockedFor(900))
  expectOk(await signIn(world.deps, right))
})

t.test('an account knows the twenty latest addresses', async (t) => {
  const world = await worldWithPassword()
  for (let nr = 0; nr < 20; nr += 1) {
    world.deps.clock.advance(1)
    expectOk(await signIn(world.deps, { ...right, address: `203.0.113.${String(nr)}` }))
  }
  await fail(world, 5)
  t.strictSame(expectErr(await signIn(world.deps, { ...right, address: homeAddress })), lockedFor(900))
  expectOk(await signIn(world.deps, { ...right, address: '203.0.113.0' }))
})

// Promise (The owner's pages): Twenty failures an hour lock an address
t.test('twenty failures an hour lock an address, to whatever accounts', async (t) => {
  const world = await worldWithPassword()
  const guess = (nr: number) => signIn(world.deps, { ...wrong, email: `nr${String(nr)}@example.org` })
  for (let nr = 0; nr < 20; nr += 1) {
    t.strictSame(expectErr(await guess(nr)), signInWrong)
    world.deps.clock.advance(minuteMicros)
  }
  t.strictSame(expectErr(await signIn(world.deps, right)), lockedFor(40 * 60))
  expectOk(await signIn(world.deps, { ...right, address: '203.0.113.1' }))
  world.deps.clock.set(startMicros + 60 * minuteMicros)
  t.strictSame(expectErr(await guess(20)), signInWrong)
  t.strictSame(expectErr(await guess(21)), lockedFor(60), 'one more for each that is an hour old')
})

t.test('the lock of an address holds for an account that knows it', async (t) => {
  const world = await worldWithPassword()
  await fail(world, 20, (nr) => ({ email: `nr${String(nr)}@example.org`, address: homeAddress }))
  t.strictSame(expectErr(await signIn(world.deps, { ...right, address: homeAddress })), lockedFor(3_600))
})

t.test('of guesses in parallel five are computed for an account, twenty for an address', async (t) => {
  for (const [limit, inputOf] of [
    [5, (nr: number) => ({ ...wrong, address: `203.0.113.${String(nr)}` })],
    [5, (nr: number) => ({ ...wrong, email: 'bob@example.org', address: `203.0.113.${String(nr)}` })],
    [20, (nr: number) => ({ ...wrong, email: `nr${String(nr)}@example.org` })],
    [5, () => ({ ...wrong, address: homeAddress })],
  ] as const) {
    const world = await worldWithPassword()
    const { port: passwordHasher, calls } = counting(world.deps.passwordHasher)
    const deps = { ...world.deps, passwordHasher }
    const answers = await Promise.all(Array.from({ length: 50 }, (_, nr) => signIn(deps, inputOf(nr))))
    t.equal(calls['hash'], limit)
    const errors = answers.map((answer) => expectErr(answer))
    t.equal(errors.filter(({ code }) => code === 'sign_in_wrong').length, limit)
    t.strictSame(
      errors.find(({ code }) => code === 'sign_in_locked'),
      underWay,
    )
    t.match(expectErr(await signIn(deps, inputOf(50))), { reason: 'wrong_passwords' })
  }
})

t.test(
  'the attempt is stored when the hash is computed, and nobody hears of a wrong one uncounted',
  async (t) => {
    const { deps } = await worldWithPassword()
    let stored = 0
    const passwordHasher: Parameters<typeof signIn>[0]['passwordHasher'] = {
      ...deps.passwordHasher,
      hash(job) {
        stored = [...deps.data.signInAttempts.values()].filter(
          (each) => each.attempts.underWay.length === 1,
        ).length
        return deps.passwordHasher.hash(job)
      },
    }
    let updates = 0
    const busy = { code: 'storage_unavailable', reason: 'busy' } as const
    const signIns: Parameters<typeof signIn>[0]['signIns'] = {
      ...deps.signIns,
      update: (...given) => ((updates += 1) > 1 ? errAsync(busy) : deps.signIns.update(...given)),
    }
    t.strictSame(expectErr(await signIn({ ...deps, passwordHasher, signIns }, wrong)), busy)
    t.equal(stored, 2)
  },
)

t.test('a busy hasher and a right password release the attempt', async (t) => {
  const { deps } = await worldWithPassword()
  const busy: HasherBusy = { code: 'hasher_busy' }
  const passwordHasher = failing(deps.passwordHasher, { hash: busy }, { times: 6 })
  for (let nr = 0; nr < 6; nr += 1) {
    t.strictSame(expectErr(await signIn({ ...deps, passwordHasher }, wrong)), busy)
  }
  t.equal(deps.data.signInAttempts.size, 0)
  expectOk(await signIn({ ...deps, passwordHasher }, right))
  t.equal(deps.data.signInAttempts.size, 0)
})

t.test(
  'attempts that a crash cuts off count as wrong after a minute, and the sweep forgets none',
  async (t) => {
    const { deps, sotto } = await worldWithPassword()
    const never = new ResultAsync(new Promise<Result<Uint8Array, HasherBusy>>(() => undefined))
    const passwordHasher = { ...deps.passwordHasher, hash: () => never }
    for (let nr = 0; nr < 5; nr += 1) {
      void signIn({ ...deps, passwordHasher }, { ...wrong, address: `203.0.113.${String(nr)}` }).match(
        t.fail,
        t.fail,
      )
    }
    await new Promise(setImmediate)
    deps.clock.advance(minuteMicros - 1)
    t.strictSame(expectErr(await signIn(deps, right)), underWay)
    deps.clock.advance(1)
    t.strictSame(expectErr(await signIn(deps, right)), lockedFor(900))
    deps.clock.advance(15 * minuteMicros - secondMicros)
    expectOk(await sotto.sweepExpired())
    t.strictSame(expectErr(await signIn(deps, right)), lockedFor(1))
    deps.clock.advance(secondMicros)
    expectOk(await signIn(deps, right))
  },
)

async function worldWithPassword(): Promise<World> {
  const world = await createWorld()
  await choosePassword(world)
  return world
}

/** So many wrong passwords, each from another address. */
async function fail(
  { deps }: World,
  times: number,
  fields: (nr: number) => Partial<typeof right> = () => ({}),
): Promise<void> {
  for (let nr = 0; nr < times; nr += 1) {
    const input = { ...wrong, address: `2001:db8:${String(nr)}::/64`, ...fields(nr) }
    const { code } = expectErr(await signIn(deps, input))
    if (code !== 'sign_in_wrong') throw new Error(code)
  }
}
