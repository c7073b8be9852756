import t from 'tap'
import { createNodeCrypto, defaultArgon2Params, openKeyFile } from '../src/index.ts'
import { cheap, failure, makeWorld, plainSecret, stored, value } from './support.ts'

t.test('the ports work together, at the real price of a password', async (t) => {
  const world = makeWorld(t.testdir())
  const crypto = createNodeCrypto({ ring: world.ring })
  t.strictSame(defaultArgon2Params, { memoryKiB: 65_536, passes: 3, parallelism: 1 })
  const plain = plainSecret(world, { password: 'p', shared: true })
  const kept = await stored(crypto.secretCipher, plain)
  t.equal(value(await crypto.secretCipher.decryptNote(kept.secret, kept.note, 'p')), 'the note')
  t.same(failure(await crypto.secretCipher.decryptNote(kept.secret, kept.note, 'q')), {
    code: 'password_wrong',
  })
  t.equal(crypto.keyRing.activeKid(), value(openKeyFile(world.path)).activeKid)
  t.equal(crypto.random.bytes(32).length, 32)
  t.same(crypto.digests.linkLookup(plain.head.linkToken!), plain.row.link?.lookup)
  await crypto.close()
})

t.test('a higher price holds for new passwords; the older ones stay readable', async (t) => {
  const world = makeWorld(t.testdir())
  const before = createNodeCrypto({ ring: world.ring, argon2: cheap })
  const after = createNodeCrypto({ ring: world.ring, argon2: { memoryKiB: 64, passes: 2, parallelism: 2 } })
  const old = await stored(before.secretCipher, plainSecret(world, { password: 'p' }))
  const fresh = await stored(after.secretCipher, plainSecret(world, { password: 'p' }))
  for (const { secret, note } of [old, fresh]) {
    for (const { secretCipher } of [before, after]) {
      t.equal(value(await secretCipher.decryptNote(secret, note, 'p')), 'the note')
    }
  }
})

t.test('a price that no server should pay is a mistake of the caller', (t) => {
  const { ring } = makeWorld(t.testdir())
  for (const argon2 of [
    { memoryKiB: 7 },
    { memoryKiB: 15, parallelism: 2 },
    { memoryKiB: 2 ** 20 + 1 },
    { passes: 0 },
    { passes: 17 },
    { parallelism: 0 },
    { parallelism: 17 },
    { memoryKiB: 64.5 },
  ]) {
    t.throws(() => createNodeCrypto({ ring, argon2 }), TypeError, JSON.stringify(argon2))
  }
  t.end()
})

t.test('once closed, passwords are turned away and everything else goes on', async (t) => {
  const world = makeWorld(t.testdir())
  const { secretCipher, close } = createNodeCrypto({ ring: world.ring, argon2: cheap })
  await close()
  t.equal(
    failure(await secretCipher.encryptSecret(plainSecret(world, { password: 'p' }))).code,
    'cipher_busy',
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
