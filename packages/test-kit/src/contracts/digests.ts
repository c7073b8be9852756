import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import {
  besideCipherCase,
  cipherCase,
  rotate,
  type CipherCase,
  type CipherHarness,
} from './cipher-harness.ts'
import { okOf, same, spelled } from './expect.ts'

const addresses = ['203.0.113.9', '203.0.113.10', '2001:db8::1', '2001:db8::2', '', 'x'.repeat(300)]

export const digestsCases: readonly CipherCase[] = [
  cipherCase({
    id: 'digests/access-token-hash-is-sha-256',
    rule: 'The hash of an access token is its SHA-256.',
    check({ digests }) {
      // FIPS 180-4, the example of one block.
      const abc = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'
      same(digests.accessTokenHash('abc'), Buffer.from(abc, 'hex'))
      for (const token of ['', 'sotto_0123456789', 'é'.repeat(500)]) {
        same(digests.accessTokenHash(token), createHash('sha256').update(token).digest())
      }
    },
  }),
  cipherCase({
    id: 'digests/link-lookup-is-one-of-its-own',
    rule: 'The lookup of a link token has 32 bytes, another one for each token, and is no plain SHA-256 of it.',
    check({ digests }, make) {
      const tokens = Array.from({ length: 20 }, () => make.linkToken())
      const lookups = tokens.map((token) => digests.linkLookup(token))
      for (const lookup of lookups) same(lookup.length, 32)
      same(new Set(lookups.map(spelled)).size, tokens.length, 'how many different lookups there are')
      for (const [at, token] of tokens.entries()) {
        for (const plain of [token, Buffer.from(token, 'base64url')]) {
          const hash = createHash('sha256').update(plain).digest()
          assert.notEqual(spelled(lookups[at] ?? hash), spelled(hash), 'the lookup is a plain SHA-256')
        }
      }
    },
  }),
  cipherCase({
    id: 'digests/unkeyed-ones-outlive-keys',
    rule: 'Token hashes and link lookups do not change with the keys.',
    async check(cipher, make) {
      const linkToken = make.linkToken()
      const both = () => [cipher.digests.accessTokenHash('token'), cipher.digests.linkLookup(linkToken)]
      const before = both()
      await rotate(cipher)
      same(both(), before)
    },
  }),
  {
    id: 'digests/unkeyed-ones-are-the-same-everywhere',
    rule: 'Token hashes and link lookups are the same in every installation, keyed digests are not.',
    async run(harness: CipherHarness) {
      const [one, other] = [await harness.open(), await harness.open()]
      try {
        const linkToken = 'A'.repeat(43)
        same(one.digests.accessTokenHash('token'), other.digests.accessTokenHash('token'))
        same(one.digests.linkLookup(linkToken), other.digests.linkLookup(linkToken))
        const [mine, theirs] = [one, other].map(({ digests }) =>
          digests.emailIndexes('ada@example.org').map(spelled),
        )
        assert.notDeepEqual(mine, theirs, 'the email indexes of two installations are the same')
        const address = '203.0.113.9'
        assert.notEqual(one.digests.addressBucket(address), other.digests.addressBucket(address))
      } finally {
        await Promise.all([one.dispose(), other.dispose()])
      }
    },
  },
  besideCipherCase({
    id: 'digests/are-deterministic',
    rule: 'The same question has the same answer each time, in each process of one installation.',
    check({ digests }, beside, make) {
      const linkToken = make.linkToken()
      for (const each of [digests, beside.digests]) {
        same(each.accessTokenHash('token'), digests.accessTokenHash('token'))
        same(each.linkLookup(linkToken), digests.linkLookup(linkToken))
        same(each.emailIndexes('ada@example.org'), digests.emailIndexes('ada@example.org'))
        same(each.addressBucket('203.0.113.9'), digests.addressBucket('203.0.113.9'))
      }
    },
  }),
  cipherCase({
    id: 'digests/email-has-an-index-for-each-key',
    rule: "An email has an index of 32 bytes for every key in the ring, the active key's first.",
    async check(cipher) {
      const email = 'ada@example.org'
      const { digests, keyRing } = cipher
      const [first, ...none] = digests.emailIndexes(email)
      same(none, [], 'further indexes with a single key')
      const firstKid = keyRing.activeKid()
      const kid = await rotate(cipher)
      await okOf(keyRing.addKey())
      const three = digests.emailIndexes(email)
      same([three.length, ...three.map(({ length }) => length)], [3, 32, 32, 32], 'how many, how long')
      same(new Set(three.map(spelled)).size, 3, 'how many different ones')
      assert.ok(
        three.slice(1).map(spelled).includes(spelled(first)),
        'the index under the old key is not behind the first',
      )
      await okOf(keyRing.activate(firstKid))
      same(digests.emailIndexes(email)[0], first, 'the first when the first key is active again')
      await okOf(keyRing.activate(kid))
      same(digests.emailIndexes(email)[0], three[0], 'the first when the second key is active again')
    },
  }),
  cipherCase({
    id: 'digests/email-index-tells-emails-apart',
    rule: 'Two emails have different indexes, and an index is no plain SHA-256 of the email.',
    check({ digests }) {
      const emails = ['ada@example.org', 'ada@example.com', 'bda@example.org', 'grüße@example.org', '']
      const indexes = emails.map((email) => spelled(digests.emailIndexes(email)[0]))
      same(new Set(indexes).size, emails.length, 'how many different ones')
      for (const [at, email] of emails.entries()) {
        assert.notEqual(indexes[at], spelled(createHash('sha256').update(email).digest()))
      }
    },
  }),
  cipherCase({
    id: 'digests/address-bucket-is-a-short-name',
    rule: 'The bucket of an address is printable ASCII of at most 100 characters, another one for each, and does not hold the address.',
    check({ digests }) {
      const buckets = addresses.map((address) => digests.addressBucket(address))
      for (const bucket of buckets) assert.match(bucket, /^[!-~]{1,100}$/)
      same(new Set(buckets).size, addresses.length, 'how many different ones')
      for (const [at, address] of addresses.entries()) {
        const bucket = (buckets[at] ?? '').toLowerCase()
        const spellings = ['utf8', 'hex', 'base64', 'base64url'] as const
        for (const each of address === '' ? [] : spellings) {
          assert.equal(
            bucket.includes(Buffer.from(address).toString(each).toLowerCase()),
            false,
            `as ${each}`,
          )
        }
        const plain = createHash('sha256').update(address).digest()
        for (const each of ['hex', 'base64', 'base64url'] as const) {
          assert.equal(plain.toString(each).includes(buckets[at] ?? ''), false, 'it is a plain SHA-256')
        }
      }
    },
  }),
]
