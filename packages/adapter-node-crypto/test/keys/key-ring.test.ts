import { randomBytes } from 'node:crypto'
import fs, { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import t from 'tap'
import type { TextPlace } from '@sotto/core'
import { expectErr, expectOk } from '@sotto/test-kit'
import { activateKey, addKey, createKeyFile, removeKey } from '../../src/keys/key-file-changes.ts'
import { createKeyRing } from '../../src/keys/key-ring.ts'
import { createTextCipher } from '../../src/cipher/text-cipher.ts'
import { instanceId, makeWorld, rotate, type World } from '../support.ts'

/** The same key file, as another process sees it. */
function beside({ path, clock }: Pick<World, 'path' | 'clock'>, instance = instanceId) {
  return expectOk(createKeyRing({ keyFile: path, instanceId: instance, clock }))
}

t.test('without a sound key file there is no ring', (t) => {
  const { path, clock } = makeWorld(t.testdir())
  chmodSync(path, 0o644)
  t.equal(expectErr(createKeyRing({ keyFile: path, instanceId, clock })).code, 'key_file_exposed')
  t.equal(expectErr(createKeyRing({ keyFile: `${path}.no`, instanceId, clock })).code, 'key_file_missing')
  for (const length of [15, 65]) {
    t.throws(() => createKeyRing({ keyFile: path, instanceId: randomBytes(length), clock }), TypeError)
  }
  t.end()
})

t.test('keys are added, activated, removed; kids ascend', async (t) => {
  const { ring } = makeWorld(t.testdir())
  t.equal(ring.activeKid(), 1)
  t.equal(expectOk(await ring.addKey()), 2)
  t.equal(ring.activeKid(), 1)
  t.strictSame(ring.kids(), [1, 2])
  expectOk(await ring.activate(2))
  t.equal(ring.activeKid(), 2, 'immediately, without waiting a second')
  t.equal(expectErr(await ring.removeKey(2)).code, 'keys_unwritable')
  expectOk(await ring.removeKey(1))
  expectOk(await ring.removeKey(1))
  t.strictSame(ring.kids(), [2])
  t.equal(expectErr(await ring.activate(1)).code, 'keys_unwritable')
  t.equal(expectOk(await ring.addKey()), 3)
})

t.test('when the key file cannot be written, the error says why and the ring stays as it was', async (t) => {
  const { ring, path, readErrors } = makeWorld(t.testdir())
  rmSync(path)
  const error = expectErr(await ring.addKey())
  t.equal(error.code, 'keys_unwritable')
  t.match(error.detail, /^There is no key file at /)
  t.strictSame(ring.kids(), [1])
  t.strictSame(
    readErrors.map(({ code }) => code),
    ['key_file_missing'],
  )
})

t.test('when the key file cannot be locked, the error names the reason', async (t) => {
  const { ring, path } = makeWorld(t.testdir())
  // Where the lock would be there is something that no process can take for a lock, or remove.
  mkdirSync(join(`${path}.lock`, 'within'), { recursive: true })
  const error = expectErr(await ring.addKey())
  t.match(error.detail, /^The key file .* cannot be written \(E[A-Z_]+\)\.$/)
})

t.test('an instance id has 16 to 64 bytes', (t) => {
  const { path, clock } = makeWorld(t.testdir())
  const withBytes = (count: number) =>
    createKeyRing({ keyFile: path, instanceId: new Uint8Array(count), clock })
  for (const count of [16, 64]) t.ok(withBytes(count).isOk())
  for (const count of [15, 65]) t.throws(() => withBytes(count), TypeError)
  t.end()
})

t.test('a key that is missing has no check value', (t) => {
  const { ring } = makeWorld(t.testdir())
  t.throws(() => ring.checkValue(2), { message: 'the ring has no key of this kid' })
  t.end()
})

t.test('the file is checked once a second, and not for a key that the ring has', (t) => {
  const world = makeWorld(t.testdir())
  const looked = t.capture(fs, 'statSync', fs.statSync)
  syncBuiltinESMExports()
  t.teardown(() => {
    looked.restore()
    syncBuiltinESMExports()
  })
  t.equal(world.ring.find(1)?.kid, 1)
  t.equal(world.ring.active().kid, 1)
  t.equal(looked().length, 0)
  world.clock.advance(1_000_000)
  t.equal(world.ring.active().kid, 1)
  t.equal(world.ring.active().kid, 1)
  t.equal(looked().length, 1)
  t.end()
})

t.test('check values of two keys differ, and so do those of two installations', async (t) => {
  const world = makeWorld(t.testdir())
  await rotate(world.ring)
  const values = [1, 2].map((kid) => Buffer.from(world.ring.checkValue(kid)).toString('hex'))
  t.match(values[0], /^[0-9a-f]{64}$/)
  t.not(values[0], values[1])
  t.same(beside(world).checkValue(1), world.ring.checkValue(1), 'always the same')
  t.notSame(beside(world, randomBytes(16)).checkValue(1), world.ring.checkValue(1))
  const file = readFileSync(world.path, 'utf8')
  for (const value of values)
    t.notOk(file.includes(Buffer.from(value, 'hex').toString('base64')), 'it is not the key')
  t.throws(() => world.ring.checkValue(3), TypeError)
})

t.test('a row under a key that another process has added can be read immediately', (t) => {
  const world = makeWorld(t.testdir())
  const place: TextPlace = { column: 'folder.label', accountId: world.make.uuid(), rowId: world.make.uuid() }
  expectOk(addKey(world))
  expectOk(activateKey(world, 2))
  const encrypted = createTextCipher({ ring: beside(world), randomBytes }).encryptText(place, 'new')
  t.equal(encrypted.kid, 2)
  t.equal(world.ring.kids().length, 1, 'this process does not know it yet')
  t.equal(expectOk(world.textCipher.decryptText(place, encrypted)), 'new')
  t.strictSame(world.ring.kids(), [1, 2])
  t.end()
})

t.test('a new active key is used within a second', (t) => {
  const world = makeWorld(t.testdir())
  const place: TextPlace = { column: 'folder.label', accountId: world.make.uuid(), rowId: world.make.uuid() }
  expectOk(addKey(world))
  expectOk(activateKey(world, 2))
  world.clock.advance(999_999)
  t.equal(world.textCipher.encryptText(place, 'a').kid, 1)
  world.clock.advance(1)
  t.equal(world.textCipher.encryptText(place, 'a').kid, 2)
  expectOk(activateKey(world, 1))
  world.clock.advance(-3_600_000_000)
  t.equal(world.ring.activeKid(), 1, 'also when the clock is set back')
  t.end()
})

// Promise (Sealed at rest): A ring encrypts under the key that the database names, and only if it is the right one
t.test('follow uses the key that is active in the database, if the file has the right one', async (t) => {
  const { path, clock, ring } = makeWorld(t.testdir())
  expectOk(addKey({ path, clock }))
  ring.refresh()
  const right = { kid: 2, checkValue: ring.checkValue(2) }
  const followed = async (activeKey: Parameters<typeof createKeyRing>[0]['activeKey']) => {
    const following = expectOk(createKeyRing({ keyFile: path, instanceId, clock, activeKey }))
    t.equal(following.activeKid(), 1)
    await following.follow()
    t.equal(following.active().kid, following.activeKid())
    return following.activeKid()
  }
  t.equal(await followed(async () => right), 2)
  t.equal(await followed(async () => ({ ...right, checkValue: right.checkValue.toReversed() })), 1)
  t.equal(await followed(async () => ({ ...right, kid: 3 })), 1, 'a key that the file lacks')
  t.equal(await followed(async () => undefined), 1, 'the database gives no answer')
  expectOk(addKey({ path, clock }))
  expectOk(activateKey({ path, clock }, 3))
  const newer = expectOk(createKeyRing({ keyFile: path, instanceId, clock, activeKey: async () => right }))
  await newer.follow()
  t.equal(newer.activeKid(), 3, 'a newer key is active in the file')
})

t.test('refresh reads the keys immediately, and drops removed ones', (t) => {
  const world = makeWorld(t.testdir())
  const place: TextPlace = { column: 'folder.label', accountId: world.make.uuid(), rowId: world.make.uuid() }
  const old = world.textCipher.encryptText(place, 'old')
  expectOk(addKey(world))
  expectOk(activateKey(world, 2))
  world.ring.refresh()
  t.equal(world.ring.activeKid(), 2)
  t.equal(expectOk(world.textCipher.decryptText(place, old)), 'old')
  expectOk(removeKey(world, 1))
  world.ring.refresh()
  t.same(expectErr(world.textCipher.decryptText(place, old)), { code: 'key_unknown', kid: 1 })
  t.end()
})

t.test('unknown kids do not cause the file to be read while it is unchanged', (t) => {
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
  expectOk(addKey(world))
  opened()
  t.equal(world.ring.find(2)?.kid, 2)
  t.equal(opened().length, 1)
  t.end()
})

t.test('for unknown kids, a file that cannot be read is tried once a second', (t) => {
  const world = makeWorld(t.testdir())
  writeFileSync(world.path, '{')
  for (let kid = 2; kid < 1_000; kid += 1) t.equal(world.ring.find(kid), undefined)
  t.equal(world.readErrors.length, 1)
  world.clock.advance(1_000_000)
  t.equal(world.ring.find(2), undefined)
  t.equal(world.readErrors.length, 2)
  t.end()
})

t.test('while the key file cannot be read the ring stays as it was; afterwards it follows again', (t) => {
  const world = makeWorld(t.testdir())
  const text = readFileSync(world.path, 'utf8')
  const changes: [string, () => void][] = [
    ['key_file_missing', () => rmSync(world.path)],
    ['key_file_not_json', () => writeFileSync(world.path, '{', { mode: 0o600 })],
    ['key_file_exposed', () => chmodSync(world.path, 0o666)],
  ]
  for (const [code, corrupt] of changes) {
    corrupt()
    world.ring.refresh()
    t.equal(world.readErrors.at(-1)?.code, code)
    t.strictSame([world.ring.activeKid(), ...world.ring.kids()], [1, 1])
  }
  rmSync(world.path)
  writeFileSync(world.path, text, { mode: 0o600 })
  expectOk(addKey(world))
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
  expectOk(createKeyFile(other))
  writeFileSync(world.path, readFileSync(other.path))
  world.ring.refresh()
  t.equal(world.readErrors.at(-1)?.code, 'key_file_keys_changed')
  t.equal(expectOk(world.textCipher.decryptText(place, before)), 'before')
  t.end()
})
