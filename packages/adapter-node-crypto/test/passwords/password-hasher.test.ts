import { randomBytes } from 'node:crypto'
import t from 'tap'
import type { PasswordHashParams } from '@sotto/core'
import { expectErr, expectOk } from '@sotto/test-kit'
import { createPasswordHasher, defaultPasswordHashParams } from '../../src/index.ts'
import { createHasherWith } from '../../src/passwords/password-hasher.ts'
import { cheap } from '../support.ts'

const salt = randomBytes(16)
const job = { queue: 'sign-in', password: 'Café', salt, params: cheap }

/** More than Argon2 permits, or than a server should pay. */
const unsound: readonly Partial<PasswordHashParams>[] = [
  { memoryKiB: 7 },
  { memoryKiB: 15, parallelism: 2 },
  { memoryKiB: 2 ** 20 + 1 },
  { passes: 0 },
  { passes: 17 },
  { parallelism: 0 },
  { parallelism: 17 },
  { memoryKiB: 64.5 },
]

t.test('new passwords cost 64 MiB and three passes by default, or what the options say', async (t) => {
  t.strictSame(createPasswordHasher().params, { memoryKiB: 65_536, passes: 3, parallelism: 1 })
  t.strictSame(createPasswordHasher({ params: { passes: 4 } }).params, {
    ...defaultPasswordHashParams,
    passes: 4,
  })
})

t.test('the same job gives the same 32 bytes, each time in an array of its own', async (t) => {
  const hasher = createPasswordHasher()
  const [one, other] = [expectOk(await hasher.hash(job)), expectOk(await hasher.hash(job))]
  t.same(one, other)
  t.equal(one.length, 32)
  one.fill(0)
  t.notSame(one, other)
})

t.test('password, salt and each parameter change the hash; the queue does not', async (t) => {
  const hasher = createPasswordHasher()
  const hash = async (changed: Partial<typeof job>) =>
    Buffer.from(expectOk(await hasher.hash({ ...job, ...changed }))).toString('hex')
  const first = await hash({})
  t.equal(await hash({ queue: 'open' }), first)
  const others = await Promise.all([
    hash({ password: 'Cafe' }),
    hash({ password: '' }),
    hash({ salt: randomBytes(16) }),
    hash({ params: { ...cheap, memoryKiB: 16 } }),
    hash({ params: { ...cheap, passes: 2 } }),
    hash({ params: { memoryKiB: 16, passes: 1, parallelism: 2 } }),
  ])
  t.equal(new Set([first, ...others]).size, 7)
})

t.test('a password is hashed as it is given: normalising it is the task of the caller', async (t) => {
  const hasher = createPasswordHasher()
  const decomposed = { ...job, password: job.password.normalize('NFD') }
  t.notSame(expectOk(await hasher.hash(job)), expectOk(await hasher.hash(decomposed)))
})

t.test('parameters out of bounds are a mistake of the caller', async (t) => {
  const hasher = createPasswordHasher()
  for (const params of unsound) {
    t.throws(() => createPasswordHasher({ params }), TypeError, JSON.stringify(params))
    t.throws(() => hasher.hash({ ...job, params: { ...cheap, ...params } }), TypeError)
  }
})

t.test('any name is a queue: a full one does not close the others', async (t) => {
  const hasher = createHasherWith(() => new Promise(() => undefined), {
    concurrency: 1,
    maxWaiting: 1,
    setTimer: () => () => undefined,
  })
  const enter = (queue: string) => hasher.hash({ ...job, queue })
  const accepted = [enter('sign-in'), enter('sign-in'), enter('open'), enter('__proto__')]
  for (const queue of ['sign-in', 'open', '__proto__']) {
    t.same(expectErr(await enter(queue)), { code: 'hasher_busy' }, queue)
  }
  const idle = new Promise((resolve) => setImmediate(() => resolve('all wait')))
  t.equal(await Promise.race([...accepted, idle]), 'all wait')
})

t.test('once closed, every password is refused', async (t) => {
  const hasher = createPasswordHasher()
  await hasher.close()
  t.same(expectErr(await hasher.hash(job)), { code: 'hasher_busy' })
})
