import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import {
  accountNameText,
  makeOpaqueToken,
  type Digests,
  type KeyedDigestPurpose,
  type OpaqueTokenPurpose,
} from '@sotto/core'
import { casesOf, caseOfTwo } from '../contract/contract.ts'
import { expectOk } from '../contract/expect.ts'
import { same, spelled } from '../contract/compare.ts'
import { besideCipherCase, cipherCase, rotate, type CipherCase, type CipherUnderTest } from './harness.ts'

const name = accountNameText({ email: 'ada@example.org', externalId: undefined })
const address = '203.0.113.9'
const opaqueToken = makeOpaqueToken(Uint8Array.from({ length: 32 }, (_, at) => at))
/** A token that differs from the other one in its last character only. */
const closeToken = makeOpaqueToken(Uint8Array.from({ length: 32 }, (_, at) => (at === 31 ? 16 : at)))
const opaqueTokenPurposes: readonly OpaqueTokenPurpose[] = ['session', 'welcome', 'email-change']
const keyedDigestPurposes: readonly KeyedDigestPurpose[] = [
  ...(['sign-in-attempts', 'known-address', 'idempotency-key', 'idempotent-request'] as const),
]

/** Cases of access tokens, tokens of sessions and one-time links, account names and addresses. */
export const digestsCases: readonly CipherCase[] = casesOf({
  'digests/access-token-digest-is-sha-256': cipherCase({
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
  'digests/keyed-ones-differ-between-installations': caseOfTwo({
    rule: 'Digests of tokens are the same in every installation; account indexes, address buckets and keyed digests are not.',
    check({ digests: one }: CipherUnderTest, { digests: other }: CipherUnderTest) {
      same(one.accessTokenDigest('token'), other.accessTokenDigest('token'))
      for (const purpose of opaqueTokenPurposes) {
        same(one.opaqueTokenDigest(purpose, opaqueToken), other.opaqueTokenDigest(purpose, opaqueToken))
      }
      for (const purpose of keyedDigestPurposes) {
        const [first, second] = [one, other].map((each) => each.keyedDigests(purpose, address).map(spelled))
        assert.notDeepEqual(first, second, `the digests for ${purpose} of two installations are the same`)
      }
      const [ours, theirs] = [one, other].map((digests) => digests.accountIndexes(name).map(spelled))
      assert.notDeepEqual(ours, theirs, 'the account indexes of two installations are the same')
      const buckets = [one, other].map((digests) => digests.addressBucket(address))
      assert.notEqual(buckets[0], buckets[1], 'the address buckets of two installations are the same')
    },
  }),
  'digests/are-deterministic': besideCipherCase({
    rule: 'The same input has the same digest each time, in every process of an installation.',
    check({ digests }, beside) {
      const all = (each: Digests) => [
        each.accessTokenDigest('token'),
        each.accountIndexes(name),
        each.addressBucket(address),
        opaqueTokenPurposes.map((purpose) => each.opaqueTokenDigest(purpose, opaqueToken)),
        keyedDigestPurposes.map((purpose) => each.keyedDigests(purpose, address)),
      ]
      same(all(digests), all(digests), 'in one process')
      same(all(beside.digests), all(digests), 'in another process')
    },
  }),
  'digests/name-has-an-index-for-each-key': cipherCase({
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
  'digests/account-indexes-differ-between-names': cipherCase({
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
  'digests/opaque-token-digest-is-of-one-purpose': cipherCase({
    rule: 'The digest of a session, of a one-time link or of the link of a changed email address has 32 bytes. It differs between tokens and purposes, and does not change with the keys.',
    async check(cipher) {
      const { digests } = cipher
      const tokens = [opaqueToken, makeOpaqueToken(new Uint8Array(32).fill(1)), closeToken]
      const all = () =>
        opaqueTokenPurposes.flatMap((purpose) =>
          tokens.map((token) => digests.opaqueTokenDigest(purpose, token)),
        )
      const before = all()
      for (const digest of before) same(digest.length, 32, 'the length of a digest')
      same(new Set(before.map(spelled)).size, before.length, 'how many differ')
      for (const token of tokens) {
        assert.ok(!before.map(spelled).includes(spelled(sha256(token))), 'a digest is a plain SHA-256')
      }
      await rotate(cipher)
      same(all(), before, 'under another key')
    },
  }),
  'digests/text-has-a-keyed-digest-for-each-key': cipherCase({
    rule: "A text has a keyed digest of 32 bytes for every key in the ring, the active key's first.",
    async check(cipher) {
      const digestsOf = () => cipher.digests.keyedDigests('known-address', address)
      const [first, ...more] = digestsOf()
      same(more, [], 'further digests with a single key')
      const firstKid = cipher.keyRing.activeKid()
      await rotate(cipher)
      const two = digestsOf()
      same(
        two.map(({ length }) => length),
        [32, 32],
        'the lengths of the digests',
      )
      same(two[1], first, 'the digest under the old key')
      assert.notEqual(spelled(two[0]), spelled(first), 'both keys give the same digest')
      expectOk(await cipher.keyRing.activate(firstKid))
      same(digestsOf()[0], first, 'the first digest when the first key is active again')
    },
  }),
  'digests/keyed-digests-hide-the-text': cipherCase({
    rule: 'Keyed digests differ between texts, purposes and the indexes of account names, and are no plain SHA-256.',
    check({ digests }) {
      const texts = [address, '203.0.113.10', 'ada@example.org', '', 'x'.repeat(300)]
      const all = texts.flatMap((text) => [
        ...keyedDigestPurposes.map((purpose) => digests.keyedDigests(purpose, text)[0]),
        digests.accountIndexes(text)[0],
      ])
      same(new Set(all.map(spelled)).size, all.length, 'how many differ')
      for (const text of texts) {
        assert.ok(!all.map(spelled).includes(spelled(sha256(text))), 'a digest is a plain SHA-256')
      }
    },
  }),
  'digests/address-bucket-is-a-short-name': cipherCase({
    rule: 'The bucket of an address is printable ASCII of at most 100 characters, differs between addresses, and does not contain the address.',
    check({ digests }) {
      const addresses = [address, '203.0.113.10', '2001:db8::1', '2001:db8::2', '', 'x'.repeat(300)]
      const buckets = addresses.map((each) => digests.addressBucket(each))
      for (const bucket of buckets) assert.match(bucket, /^[!-~]{1,100}$/)
      same(new Set(buckets).size, addresses.length, 'how many differ')
      for (const [at, each] of addresses.entries()) hidesAddress(buckets[at] ?? '', each)
    },
  }),
})

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
