import t from 'tap'
import { expectErr, expectOk } from '@sotto/test-kit'
import { createNodeCrypto, createPasswordHasher, openKeyFile } from '../src/index.ts'
import { cheap, makeWorld, plainSecret, stored } from './support.ts'

t.test('the ports work together, with the real cost of a password', async (t) => {
  const world = makeWorld(t.testdir())
  const crypto = createNodeCrypto({ ring: world.ring })
  t.strictSame(crypto.passwordHasher.params, { memoryKiB: 65_536, passes: 3, parallelism: 1 })
  const plain = plainSecret(world, { password: 'p', shared: true })
  const saved = await stored(crypto.secretCipher, plain)
  t.equal(expectOk(await crypto.secretCipher.decryptNote(saved.secret, saved.note, 'p')), 'the note')
  t.same(expectErr(await crypto.secretCipher.decryptNote(saved.secret, saved.note, 'q')), {
    code: 'password_wrong',
  })
  t.equal(crypto.keyRing.activeKid(), expectOk(openKeyFile(world.path)).activeKid)
  t.equal(crypto.random.bytes(32).length, 32)
  t.same(crypto.digests.linkLookup(plain.head.linkToken!), plain.row.link?.lookup)
  await crypto.close()
})

t.test('a higher cost applies to new passwords; older ones stay readable', async (t) => {
  const world = makeWorld(t.testdir())
  const before = createNodeCrypto({ ring: world.ring, argon2: cheap })
  const after = createNodeCrypto({ ring: world.ring, argon2: { memoryKiB: 64, passes: 2, parallelism: 2 } })
  const old = await stored(before.secretCipher, plainSecret(world, { password: 'p' }))
  const fresh = await stored(after.secretCipher, plainSecret(world, { password: 'p' }))
  for (const { secret, note } of [old, fresh]) {
    for (const { secretCipher } of [before, after]) {
      t.equal(expectOk(await secretCipher.decryptNote(secret, note, 'p')), 'the note')
    }
  }
})

t.test('parameters out of bounds are a mistake of the caller', (t) => {
  const { ring } = makeWorld(t.testdir())
  t.throws(() => createNodeCrypto({ ring, argon2: { passes: 17 } }), TypeError)
  t.end()
})

t.test('a password hasher that is given is used, returned, and not closed', async (t) => {
  const world = makeWorld(t.testdir())
  const passwordHasher = createPasswordHasher({ params: { ...cheap, passes: 2 } })
  const queues: string[] = []
  const watched: typeof passwordHasher = {
    ...passwordHasher,
    hash(job) {
      queues.push(job.queue)
      return passwordHasher.hash(job)
    },
  }
  const crypto = createNodeCrypto({ ring: world.ring, passwordHasher: watched })
  t.equal(crypto.passwordHasher, watched)
  const { secret, note } = await stored(crypto.secretCipher, plainSecret(world, { password: 'p' }))
  t.type(crypto.close(), Promise)
  await crypto.close()
  t.equal(expectOk(await crypto.secretCipher.decryptNote(secret, note, 'p')), 'the note')
  t.strictSame(queues, ['create', 'open'])
})

t.test('how many passwords are hashed at the same time, and how many may wait, is a setting', async (t) => {
  const { ring, make } = makeWorld(t.testdir())
  const hashing = { concurrency: 1, maxWaiting: 0 }
  const { passwordHasher } = createNodeCrypto({ ring, argon2: cheap, hashing })
  const job = { queue: 'open', password: 'p', salt: make.bytes(16), params: cheap } as const
  const [one, other] = await Promise.all([passwordHasher.hash(job), passwordHasher.hash(job)])
  t.equal(expectOk(one).length, 32)
  t.equal(expectErr(other).code, 'hasher_busy')
})

t.test('settings for a password hasher that is given are a mistake of the caller', (t) => {
  const { ring } = makeWorld(t.testdir())
  const passwordHasher = createPasswordHasher()
  t.throws(() => createNodeCrypto({ ring, passwordHasher, argon2: cheap }), TypeError)
  t.throws(() => createNodeCrypto({ ring, passwordHasher, hashing: {} }), TypeError)
  t.end()
})

t.test('once closed, passwords are refused and everything else still works', async (t) => {
  const world = makeWorld(t.testdir())
  const { secretCipher, close } = createNodeCrypto({ ring: world.ring, argon2: cheap })
  await close()
  t.equal(
    expectErr(await secretCipher.encryptSecret(plainSecret(world, { password: 'p' }))).code,
    'hasher_busy',
  )
  t.ok((await secretCipher.encryptSecret(plainSecret(world))).isOk())
})

t.test('hashing leaves the event loop free', async (t) => {
  const world = makeWorld(t.testdir())
  const { secretCipher, close } = createNodeCrypto({ ring: world.ring })
  let turns = 0
  let hashing = true
  const count = (): void => {
    turns += 1
    if (hashing) setImmediate(count)
  }
  count()
  t.ok((await secretCipher.encryptSecret(plainSecret(world, { password: 'p' }))).isOk())
  hashing = false
  t.ok(turns > 100, `${turns} turns`)
  await close()
})
