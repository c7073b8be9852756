import { syncBuiltinESMExports } from 'node:module'
import fs, { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import type { TextPlace } from '@sotto/core'
import { activateKey, addKey, createKeyFile, removeKey } from '../src/key-file-changes.ts'
import { createKeyRing } from '../src/key-ring.ts'
import { createTextCipher } from '../src/text-cipher.ts'
import { randomBytes } from 'node:crypto'
import { failure, instanceId, makeWorld, rotate, value, type World } from './support.ts'

/** The same key file, as another process sees it. */
function beside({ path, clock }: Pick<World, 'path' | 'clock'>, instance = instanceId) {
  return value(createKeyRing({ keyFile: path, instanceId: instance, clock }))
}

t.test('a ring without a sound key file is none', (t) => {
  const { path, clock } = makeWorld(t.testdir())
  chmodSync(path, 0o644)
  t.equal(failure(createKeyRing({ keyFile: path, instanceId, clock })).code, 'key_file_exposed')
  t.equal(failure(createKeyRing({ keyFile: `${path}.no`, instanceId, clock })).code, 'key_file_missing')
  t.throws(() => createKeyRing({ keyFile: path, instanceId: randomBytes(15), clock }), TypeError)
  t.end()
})

t.test('keys are added, activated, removed; kids ascend', async (t) => {
  const { ring } = makeWorld(t.testdir())
  t.equal(ring.activeKid(), 1)
  t.equal(value(await ring.addKey()), 2)
  t.equal(ring.activeKid(), 1)
  t.strictSame(ring.kids(), [1, 2])
  value(await ring.activate(2))
  t.equal(ring.activeKid(), 2, 'at once, without waiting a second')
  t.equal((await ring.removeKey(2))._unsafeUnwrapErr().code, 'keys_unwritable')
  value(await ring.removeKey(1))
  value(await ring.removeKey(1))
  t.strictSame(ring.kids(), [2])
  t.equal((await ring.activate(1))._unsafeUnwrapErr().code, 'keys_unwritable')
  t.equal(value(await ring.addKey()), 3)
})

t.test('a ring that cannot be written says why and stays as it was', async (t) => {
  const { ring, path, readErrors } = makeWorld(t.testdir())
  rmSync(path)
  const error = (await ring.addKey())._unsafeUnwrapErr()
  t.equal(error.code, 'keys_unwritable')
  t.match(error.detail, /^There is no key file at /)
  t.strictSame(ring.kids(), [1])
  t.strictSame(
    readErrors.map(({ code }) => code),
    ['key_file_missing'],
  )
})

t.test('a check value tells a key from another, and an installation from another', async (t) => {
  const world = makeWorld(t.testdir())
  await rotate(world.ring)
  const values = [1, 2].map((kid) => Buffer.from(world.ring.checkValue(kid)).toString('hex'))
  t.match(values[0], /^[0-9a-f]{64}$/)
  t.not(values[0], values[1])
  t.same(beside(world).checkValue(1), world.ring.checkValue(1), 'always the same')
  t.notSame(beside(world, randomBytes(16)).checkValue(1), world.ring.checkValue(1))
  const file = readFileSync(world.path, 'utf8')
  for (const value of values)
    t.notOk(file.includes(Buffer.from(value, 'hex').toString('base64')), 'is no key')
  t.throws(() => world.ring.checkValue(3), TypeError)
})

t.test('a row under a key that another process has added is read at once', (t) => {
  const world = makeWorld(t.testdir())
  const place: TextPlace = { column: 'folder.label', accountId: world.make.uuid(), rowId: world.make.uuid() }
  value(addKey(world))
  value(activateKey(world, 2))
  const encrypted = createTextCipher({ ring: beside(world), randomBytes }).encryptText(place, 'new')
  t.equal(encrypted.kid, 2)
  t.equal(world.ring.kids().length, 1, 'this process does not know it yet')
  t.equal(value(world.textCipher.decryptText(place, encrypted)), 'new')
  t.strictSame(world.ring.kids(), [1, 2])
  t.end()
})

t.test('a new active key is noticed within a second', (t) => {
  const world = makeWorld(t.testdir())
  const place: TextPlace = { column: 'folder.label', accountId: world.make.uuid(), rowId: world.make.uuid() }
  value(addKey(world))
  value(activateKey(world, 2))
  world.clock.advance(999_999)
  t.equal(world.textCipher.encryptText(place, 'a').kid, 1)
  world.clock.advance(1)
  t.equal(world.textCipher.encryptText(place, 'a').kid, 2)
  value(activateKey(world, 1))
  world.clock.advance(-3_600_000_000)
  t.equal(world.ring.activeKid(), 1, 'also when the clock was set back')
  t.end()
})

t.test('refresh reads the keys at once, and removed ones are forgotten', (t) => {
  const world = makeWorld(t.testdir())
  const place: TextPlace = { column: 'folder.label', accountId: world.make.uuid(), rowId: world.make.uuid() }
  const old = world.textCipher.encryptText(place, 'old')
  value(addKey(world))
  value(activateKey(world, 2))
  world.ring.refresh()
  t.equal(world.ring.activeKid(), 2)
  t.equal(value(world.textCipher.decryptText(place, old)), 'old')
  value(removeKey(world, 1))
  world.ring.refresh()
  t.same(failure(world.textCipher.decryptText(place, old)), { code: 'key_unknown', kid: 1 })
  t.end()
})

t.test('unknown kids cost no read of the file while it stays the same', (t) => {
  const world = makeWorld(t.testdir())
  const opened = t.capture(fs, 'openSync', fs.openSync)
  syncBuiltinESMExports()
  t.teardown(() => {
    opened.restore()
    syncBuiltinESMExports()
  })
  for (const odd of [0, -1, 1.5, NaN, 2 ** 40, ...Array(1_000).keys()]) {
    t.equal(world.ring.find(odd)?.kid, odd === 1 ? 1 : undefined)
  }
  world.clock.advance(1_000_000)
  t.equal(world.ring.active().kid, 1)
  t.equal(opened().length, 0)
  value(addKey(world))
  opened()
  t.equal(world.ring.find(2)?.kid, 2)
  t.equal(opened().length, 1)
  t.end()
})

t.test('unknown kids make a file that cannot be read be tried once a second', (t) => {
  const world = makeWorld(t.testdir())
  writeFileSync(world.path, '{')
  for (let kid = 2; kid < 1_000; kid += 1) t.equal(world.ring.find(kid), undefined)
  t.equal(world.readErrors.length, 1)
  world.clock.advance(1_000_000)
  t.equal(world.ring.find(2), undefined)
  t.equal(world.readErrors.length, 2)
  t.end()
})

t.test('a ring that cannot be read stays as it was, and goes on when it can', (t) => {
  const world = makeWorld(t.testdir())
  const text = readFileSync(world.path, 'utf8')
  const breaks: [string, () => void][] = [
    ['key_file_missing', () => rmSync(world.path)],
    ['key_file_not_json', () => writeFileSync(world.path, '{', { mode: 0o600 })],
    ['key_file_exposed', () => chmodSync(world.path, 0o666)],
  ]
  for (const [code, breakIt] of breaks) {
    breakIt()
    world.ring.refresh()
    t.equal(world.readErrors.at(-1)?.code, code)
    t.strictSame([world.ring.activeKid(), ...world.ring.kids()], [1, 1])
  }
  rmSync(world.path)
  writeFileSync(world.path, text, { mode: 0o600 })
  value(addKey(world))
  world.ring.refresh()
  t.strictSame(world.ring.kids(), [1, 2])
  t.end()
})

t.test('another key under a known kid is refused: nothing is encrypted under it', (t) => {
  const directory = t.testdir()
  const world = makeWorld(join(directory, 'one'))
  const place: TextPlace = { column: 'folder.label', accountId: world.make.uuid(), rowId: world.make.uuid() }
  const before = world.textCipher.encryptText(place, 'before')
  const other = { path: join(directory, 'other', 'keys.json'), clock: world.clock }
  value(createKeyFile(other))
  writeFileSync(world.path, readFileSync(other.path))
  world.ring.refresh()
  t.equal(world.readErrors.at(-1)?.code, 'key_file_keys_changed')
  t.equal(value(world.textCipher.decryptText(place, before)), 'before')
  t.end()
})
