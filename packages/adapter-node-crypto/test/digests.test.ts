import { createHash } from 'node:crypto'
import { join } from 'node:path'
import t from 'tap'
import { makeWorld, rotate, value } from './support.ts'

t.test('an access token is hashed by SHA-256, without any key', (t) => {
  const { digests } = makeWorld(t.testdir())
  const hash = createHash('sha256').update('sotto_token').digest()
  t.same(digests.accessTokenHash('sotto_token'), hash)
  t.end()
})

t.test('a lookup does not depend on the ring', async (t) => {
  const { digests, ring, make } = makeWorld(t.testdir())
  const token = make.linkToken()
  const before = digests.linkLookup(token)
  t.equal(before.length, 32)
  await rotate(ring)
  t.same(digests.linkLookup(token), before)
  t.notSame(digests.linkLookup(make.linkToken()), before)
  t.notSame(before, createHash('sha256').update(Buffer.from(token, 'base64url')).digest(), 'has a prefix')
})

t.test('an email has one index for each key, the active one first', async (t) => {
  const { digests, ring } = makeWorld(t.testdir())
  const [first] = digests.emailIndexes('a@example.org')
  t.same(digests.emailIndexes('a@example.org'), [first])
  t.equal(first.length, 32)
  await rotate(ring)
  const [active, ...others] = digests.emailIndexes('a@example.org')
  t.notSame(active, first)
  t.same(others, [first])
  t.notSame(digests.emailIndexes('b@example.org')[0], active)
  value(await ring.activate(1))
  t.same(digests.emailIndexes('a@example.org'), [first, active])
})

t.test('an address gives a short keyed name, another one under another key', async (t) => {
  const directory = t.testdir()
  const { digests, ring } = makeWorld(join(directory, 'one'))
  const name = digests.addressBucket('192.0.2.1')
  t.match(name, /^[A-Za-z0-9_-]{22}$/)
  t.equal(digests.addressBucket('192.0.2.1'), name)
  t.not(digests.addressBucket('192.0.2.2'), name)
  t.not(makeWorld(join(directory, 'other')).digests.addressBucket('192.0.2.1'), name, 'of another ring')
  await rotate(ring)
  t.not(digests.addressBucket('192.0.2.1'), name)
})
