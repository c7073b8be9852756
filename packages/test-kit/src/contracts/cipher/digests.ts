import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { accountNameText, type Digests } from '@sotto/core'
import { caseOfTwo } from '../../contract.ts'
import { expectOk } from '../../expect.ts'
import { same, spelled } from '../compare.ts'
import { besideCipherCase, cipherCase, rotate, type CipherCase, type CipherUnderTest } from './harness.ts'

const name = accountNameText({ email: 'ada@example.org', externalId: undefined })
const address = '203.0.113.9'

/** Cases of access tokens, account names and addresses. */
export const digestsCases: readonly CipherCase[] = [
  cipherCase({
    id: 'digests/access-token-digest-is-sha-256',
    rule: 'The digest of an access token is its SHA-256.',
    check({ digests }) {
      // The one-block example of FIPS 180-4.
      const abc = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'
      same(digests.accessTokenDigest('abc'), Buffer.from(abc, 'hex'))
      for (const token of ['', 'sotto_0123456789', 'é'.repeat(500)]) {
        same(digests.accessTokenDigest(token), sha256(token))
      }
    },
  }),
  caseOfTwo({
    id: 'digests/keyed-ones-differ-between-installations',
    rule: 'Access token digests are the same in every installation, account indexes and address buckets are not.',
    check({ digests: one }: CipherUnderTest, { digests: other }: CipherUnderTest) {
      same(one.accessTokenDigest('token'), other.accessTokenDigest('token'))
      const [ours, theirs] = [one, other].map((digests) => digests.accountIndexes(name).map(spelled))
      assert.notDeepEqual(ours, theirs, 'the account indexes of two installations are the same')
      const buckets = [one, other].map((digests) => digests.addressBucket(address))
      assert.notEqual(buckets[0], buckets[1], 'the address buckets of two installations are the same')
    },
  }),
  besideCipherCase({
    id: 'digests/are-deterministic',
    rule: 'The same input has the same digest each time, in every process of an installation.',
    check({ digests }, beside) {
      const all = (each: Digests) => [
        each.accessTokenDigest('token'),
        each.accountIndexes(name),
        each.addressBucket(address),
      ]
      same(all(digests), all(digests), 'in one process')
      same(all(beside.digests), all(digests), 'in another process')
    },
  }),
  cipherCase({
    id: 'digests/name-has-an-index-for-each-key',
    rule: "A name has an index of 32 bytes for every key in the ring, the active key's first.",
    async check(cipher) {
      const { digests, keyRing } = cipher
      const [first, ...more] = digests.accountIndexes(name)
      same(more, [], 'further indexes with a single key')
      const firstKid = keyRing.activeKid()
      const kid = await rotate(cipher)
      expectOk(await keyRing.addKey())
      const three = digests.accountIndexes(name)
      same(
        three.map(({ length }) => length),
        [32, 32, 32],
        'the lengths of the indexes',
      )
      same(new Set(three.map(spelled)).size, 3, 'how many differ')
      const others = three.slice(1).map(spelled)
      assert.ok(others.includes(spelled(first)), 'the index under the old key does not come after the first')
      expectOk(await keyRing.activate(firstKid))
      same(digests.accountIndexes(name)[0], first, 'the first index when the first key is active again')
      expectOk(await keyRing.activate(kid))
      same(digests.accountIndexes(name)[0], three[0], 'the first index when the second key is active again')
    },
  }),
  cipherCase({
    id: 'digests/account-indexes-differ-between-names',
    rule: 'Different names have different indexes, also an email and an external id of the same text; no index is a plain SHA-256.',
    check({ digests }) {
      const texts = ['ada@example.org', 'ada@example.com', 'bda@example.org', 'grüße@example.org', '']
      const names = texts.flatMap((text) => [
        accountNameText({ email: text, externalId: undefined }),
        accountNameText({ email: undefined, externalId: text }),
      ])
      const indexes = names.map((each) => spelled(digests.accountIndexes(each)[0]))
      same(new Set(indexes).size, names.length, 'how many differ')
      for (const [at, each] of names.entries()) {
        assert.notEqual(indexes[at], spelled(sha256(each)), 'an index is a plain SHA-256')
      }
    },
  }),
  cipherCase({
    id: 'digests/address-bucket-is-a-short-name',
    rule: 'The bucket of an address is printable ASCII of at most 100 characters, differs between addresses, and does not contain the address.',
    check({ digests }) {
      const addresses = [address, '203.0.113.10', '2001:db8::1', '2001:db8::2', '', 'x'.repeat(300)]
      const buckets = addresses.map((each) => digests.addressBucket(each))
      for (const bucket of buckets) assert.match(bucket, /^[!-~]{1,100}$/)
      same(new Set(buckets).size, addresses.length, 'how many differ')
      for (const [at, each] of addresses.entries()) hidesAddress(buckets[at] ?? '', each)
    },
  }),
]

function hidesAddress(bucket: string, of: string): void {
  const encodings = ['utf8', 'hex', 'base64', 'base64url'] as const
  for (const encoding of of === '' ? [] : encodings) {
    const encoded = Buffer.from(of).toString(encoding).toLowerCase()
    assert.ok(!bucket.toLowerCase().includes(encoded), `the bucket contains the address in ${encoding}`)
  }
  for (const encoding of ['hex', 'base64', 'base64url'] as const) {
    assert.ok(!sha256(of).toString(encoding).includes(bucket), 'the bucket is a plain SHA-256')
  }
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
