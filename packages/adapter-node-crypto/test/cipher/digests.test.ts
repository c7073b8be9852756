import { createHash } from 'node:crypto'
import { join } from 'node:path'
import t from 'tap'
import { isLinkToken, makeOpaqueToken } from '@sotto/core'
import { createManualClock, expectOk, noonMicros } from '@sotto/test-kit'
import { createDigests } from '../../src/cipher/digests.ts'
import { createKeyRing } from '../../src/keys/key-ring.ts'
import { instanceId, makeLinkToken, makeWorld, rotate } from '../support.ts'

const sha256 = (...parts: readonly (string | Uint8Array)[]): Buffer =>
  Buffer.from(parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest())

t.test('the digest of an access token is its SHA-256, without any key', (t) => {
  const { digests } = makeWorld(t.testdir())
  t.same(digests.accessTokenDigest('sotto_token'), sha256('sotto_token'))
  t.end()
})

t.test('a link token is the masked second of its making, and the random bytes', (t) => {
  const { digests, make } = makeWorld(t.testdir())
  const second = Math.floor(noonMicros / 1_000_000)
  for (let round = 0; round < 100; round += 1) {
    const random = make.bytes(28)
    const token = digests.makeLinkToken(random, noonMicros)
    t.ok(isLinkToken(token))
    const bytes = Buffer.from(token, 'base64url')
    t.same(bytes.subarray(4), random)
    const mask = sha256('sotto/v1/link-time', instanceId, random).readUInt32BE()
    t.equal((bytes.readUInt32BE() ^ mask) >>> 0, second)
  }
  t.end()
})

t.test('the second is taken modulo 2^32, and only whole seconds count', (t) => {
  const { digests, make } = makeWorld(t.testdir())
  const random = make.bytes(28)
  const at = (micros: number) => digests.makeLinkToken(random, micros)
  t.equal(at(1_999_999), at(1_000_000))
  t.not(at(1_999_999), at(2_000_000))
  t.equal(at(2 ** 32 * 1e6 + 7e6), at(7e6))
  t.same(digests.linkLookup(at(2 ** 32 * 1e6 - 1)).subarray(0, 4), Buffer.alloc(4, 0xff))
  t.end()
})

t.test('a wrong number of random bytes is a mistake of the caller', (t) => {
  const { digests, make } = makeWorld(t.testdir())
  for (const count of [0, 27, 29, 32]) {
    t.throws(() => digests.makeLinkToken(make.bytes(count), noonMicros), TypeError, String(count))
  }
  t.end()
})

t.test('a lookup is the second of the token, and the start of a digest of the whole token', (t) => {
  const { digests, make } = makeWorld(t.testdir())
  const random = make.bytes(28)
  const token = digests.makeLinkToken(random, noonMicros)
  const lookup = Buffer.from(digests.linkLookup(token))
  t.equal(lookup.length, 32)
  t.equal(lookup.readUInt32BE(), Math.floor(noonMicros / 1_000_000))
  t.same(lookup.subarray(4), sha256('sotto/v1/lookup', Buffer.from(token, 'base64url')).subarray(0, 28))
  t.end()
})

t.test('lookups of links that were made later sort later', (t) => {
  const world = makeWorld(t.testdir())
  const { digests, make } = world
  const lookups = Array.from({ length: 200 }, (_, second) =>
    Buffer.from(digests.linkLookup(digests.makeLinkToken(make.bytes(28), noonMicros + second * 1e6))),
  )
  t.strictSame(lookups.toSorted(Buffer.compare), lookups)
  t.end()
})

t.test('a lookup has an array of its own, and depends on its token only', (t) => {
  const world = makeWorld(t.testdir())
  const { digests } = world
  const short = digests.linkLookup('AAAA')
  const tokens = Array.from({ length: 20 }, () => makeLinkToken(world))
  const first = tokens.map((token) => Buffer.from(digests.linkLookup(token)))
  const again = tokens.toReversed().map((token) => digests.linkLookup(token))
  t.strictSame(
    again.toReversed().map((lookup) => Buffer.from(lookup)),
    first,
  )
  t.same(digests.linkLookup('AAAA'), short)
  // What is no token at all leaves no trace in the next lookup, and finds nothing of it.
  for (const odd of ['', 'AAAA', tokens[0]!.slice(0, 20), '!'.repeat(43)]) {
    t.equal(digests.linkLookup(odd).length, 32)
    t.notSame(digests.linkLookup(odd), first[0])
    t.same(digests.linkLookup(tokens[0]!), first[0])
  }
  t.end()
})

t.test(
  'tokens and lookups of one instance are independent of the ring, and differ from another instance',
  async (t) => {
    const world = makeWorld(t.testdir())
    const { digests, ring, make, path } = world
    const random = make.bytes(28)
    const token = digests.makeLinkToken(random, noonMicros)
    const lookup = digests.linkLookup(token)
    await rotate(ring)
    t.equal(digests.makeLinkToken(random, noonMicros), token)
    t.same(digests.linkLookup(token), lookup)
    const clock = createManualClock(noonMicros)
    const otherRing = expectOk(createKeyRing({ keyFile: path, instanceId: make.bytes(16), clock }))
    const other = createDigests({ ring: otherRing })
    t.not(other.makeLinkToken(random, noonMicros), token)
    t.notSame(other.linkLookup(token).subarray(0, 4), lookup.subarray(0, 4))
  },
)

t.test('an account name has one index for each key, the active one first', async (t) => {
  const { digests, ring } = makeWorld(t.testdir())
  const [first] = digests.accountIndexes('email:a@example.org')
  t.same(digests.accountIndexes('email:a@example.org'), [first])
  t.equal(first.length, 32)
  await rotate(ring)
  const [active, ...others] = digests.accountIndexes('email:a@example.org')
  t.notSame(active, first)
  t.same(others, [first])
  for (const other of ['email:b@example.org', 'external:a@example.org']) {
    t.notSame(digests.accountIndexes(other)[0], active)
  }
  expectOk(await ring.activate(1))
  t.same(digests.accountIndexes('email:a@example.org'), [first, active])
})

t.test('the digest of a session or a one-time link takes no key, and each kind has its own', async (t) => {
  const { digests, ring, make } = makeWorld(t.testdir())
  const token = makeOpaqueToken(make.bytes(32))
  const session = digests.opaqueTokenDigest('session', token)
  t.same(session, sha256('sotto/v1/session', token))
  t.same(digests.opaqueTokenDigest('welcome', token), sha256('sotto/v1/welcome', token))
  t.notSame(digests.accessTokenDigest(token), session)
  await rotate(ring)
  t.same(digests.opaqueTokenDigest('session', token), session)
})

t.test('a text has one keyed digest for each key and purpose, that of the active key first', async (t) => {
  const directory = t.testdir()
  const { digests, ring } = makeWorld(join(directory, 'one'))
  const text = 'email:a@example.org'
  for (const purpose of [
    'sign-in-attempts',
    'known-address',
    'idempotency-key',
    'idempotent-request',
    'passkey-challenge',
  ] as const) {
    const [first] = digests.keyedDigests(purpose, text)
    t.same(digests.keyedDigests(purpose, text), [first])
    t.equal(first.length, 32)
    const other = makeWorld(join(directory, purpose)).digests
    t.notSame(other.keyedDigests(purpose, text)[0], first, 'of another ring')
  }
  const before = digests.keyedDigests('known-address', text)[0]
  t.notSame(digests.keyedDigests('sign-in-attempts', text)[0], before)
  t.notSame(digests.accountIndexes(text)[0], before)
  await rotate(ring)
  const [active, ...others] = digests.keyedDigests('known-address', text)
  t.notSame(active, before)
  t.same(others, [before])
})

t.test('the bucket of an address is short and keyed: another key gives another one', async (t) => {
  const directory = t.testdir()
  const { digests, ring } = makeWorld(join(directory, 'one'))
  const bucket = digests.addressBucket('192.0.2.1')
  t.match(bucket, /^[A-Za-z0-9_-]{22}$/)
  t.equal(digests.addressBucket('192.0.2.1'), bucket)
  t.not(digests.addressBucket('192.0.2.2'), bucket)
  t.not(makeWorld(join(directory, 'other')).digests.addressBucket('192.0.2.1'), bucket, 'of another ring')
  await rotate(ring)
  t.not(digests.addressBucket('192.0.2.1'), bucket)
})
