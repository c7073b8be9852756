import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { isLinkToken, linkTokenFrom, linkTokenRandomBytes, noLinkToken } from '@sotto/core'
import { casesOf, caseOfTwo } from '../contract/contract.ts'
import { expectOk } from '../contract/expect.ts'
import { noonMicros } from '../shared/samples.ts'
import { same, spelled } from '../contract/compare.ts'
import { besideCipherCase, cipherCase, rotate, type CipherCase, type CipherUnderTest } from './harness.ts'

const secondMicros = 1_000_000

/** Cases of link tokens and their lookups. */
export const linkTokenCases: readonly CipherCase[] = casesOf({
  'digests/link-token-carries-its-random-bytes': cipherCase({
    rule: 'A link token is a valid one whose last 28 bytes are the random bytes it was made from.',
    check({ digests }, make) {
      for (const random of [make.bytes(linkTokenRandomBytes), new Uint8Array(linkTokenRandomBytes)]) {
        const token = digests.makeLinkToken(random, noonMicros)
        assert.ok(isLinkToken(token), `${token} is not a link token`)
        same(bytesOf(token).subarray(4), random)
      }
    },
  }),
  'digests/link-token-is-deterministic': cipherCase({
    rule: 'The same random bytes in the same second give the same link token; other random bytes or another second give another one.',
    check({ digests }, make) {
      const random = make.bytes(linkTokenRandomBytes)
      const second = Math.floor(noonMicros / secondMicros) * secondMicros
      const token = digests.makeLinkToken(random, second)
      same(digests.makeLinkToken(random, second), token, 'again')
      same(digests.makeLinkToken(random, second + secondMicros - 1), token, 'at the end of the second')
      for (const atMicros of [second - 1, second + secondMicros]) {
        assert.notEqual(digests.makeLinkToken(random, atMicros), token, 'another second gives the same token')
      }
      const others = [make.bytes(linkTokenRandomBytes), make.bytes(linkTokenRandomBytes)]
      const tokens = others.map((each) => digests.makeLinkToken(each, second))
      same(new Set([token, ...tokens]).size, 3, 'how many tokens differ')
    },
  }),
  'digests/link-token-hides-its-time': cipherCase({
    rule: 'The first 4 bytes of a link token do not show its time: they differ between tokens of the same second.',
    check({ digests }, make) {
      const times = Array.from({ length: 50 }, () => {
        const token = digests.makeLinkToken(make.bytes(linkTokenRandomBytes), noonMicros)
        return bytesOf(token).readUInt32BE()
      })
      // Two of 50 random numbers of 32 bits are the same once in 3 million times.
      same(new Set(times).size, 50, 'how many differ')
    },
  }),
  'digests/lookup-begins-with-the-second': cipherCase({
    rule: 'The lookup of a link token has 32 bytes and begins with the second in which the token was made, as 4 bytes, big-endian.',
    check({ digests }, make) {
      for (const second of [0, 1, 1_760_000_000, 2 ** 31, 2 ** 32 - 1]) {
        const token = digests.makeLinkToken(make.bytes(linkTokenRandomBytes), second * secondMicros + 999_999)
        const lookup = Buffer.from(digests.linkLookup(token))
        same(lookup.length, 32)
        same(lookup.readUInt32BE(), second)
      }
    },
  }),
  'digests/later-lookups-sort-later': cipherCase({
    rule: 'The lookup of a token that was made in a later second sorts after those of earlier ones, byte by byte.',
    check({ digests }, make) {
      const lookups = Array.from({ length: 300 }, (_, second) => {
        const atMicros = noonMicros + second * secondMicros
        return Buffer.from(
          digests.linkLookup(digests.makeLinkToken(make.bytes(linkTokenRandomBytes), atMicros)),
        )
      })
      same(
        lookups.toSorted((one, other) => Buffer.compare(one, other)),
        lookups,
      )
    },
  }),
  'digests/lookup-covers-the-whole-token': cipherCase({
    rule: 'A token with any bit changed, of its time or of its random bytes, has a lookup with another hash; no lookup is a plain SHA-256.',
    check({ digests }, make) {
      const token = digests.makeLinkToken(make.bytes(linkTokenRandomBytes), noonMicros)
      const bytes = bytesOf(token)
      const tokens = Array.from({ length: 32 * 8 }, (_, bit) =>
        linkTokenFrom(
          Uint8Array.from(bytes, (byte, at) => (at === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte)),
        ),
      )
      const hashes = [token, noLinkToken, ...tokens].map((each) => {
        const hash = digests.linkLookup(each).subarray(4)
        for (const plain of [each, bytesOf(each)]) {
          const sha256 = createHash('sha256').update(plain).digest('hex')
          assert.ok(
            !sha256.includes(Buffer.from(hash).toString('hex', 0, 16)),
            'the lookup is a plain SHA-256',
          )
        }
        return spelled(hash)
      })
      same(new Set(hashes).size, hashes.length, 'how many differ')
    },
  }),
  'digests/links-outlive-keys': cipherCase({
    rule: 'Access token digests, link tokens and lookups do not change with the keys.',
    async check(cipher, make) {
      const random = make.bytes(linkTokenRandomBytes)
      const linkToken = make.linkToken()
      const all = () => [
        cipher.digests.accessTokenDigest('token'),
        cipher.digests.makeLinkToken(random, noonMicros),
        cipher.digests.linkLookup(linkToken),
      ]
      const before = all()
      const kid = cipher.keyRing.activeKid()
      await rotate(cipher)
      same(all(), before, 'after another key was activated')
      expectOk(await cipher.keyRing.removeKey(kid))
      same(all(), before, 'after the first key was removed')
    },
  }),
  'digests/link-time-differs-between-installations': caseOfTwo({
    rule: 'Two installations hide the time in a link token differently, so that one cannot read the times of the other.',
    check({ digests: one }: CipherUnderTest, { digests: other }: CipherUnderTest) {
      const random = new Uint8Array(linkTokenRandomBytes).fill(7)
      const [ours, theirs] = [one, other].map((digests) => digests.makeLinkToken(random, noonMicros))
      assert.ok(ours !== undefined && theirs !== undefined)
      assert.notEqual(ours, theirs, 'two installations make the same token')
      const second = Math.floor(noonMicros / secondMicros)
      const seen = Buffer.from(other.linkLookup(ours)).readUInt32BE()
      assert.notEqual(seen, second, 'the other installation reads the time')
    },
  }),
  'digests/links-are-the-same-beside': besideCipherCase({
    rule: 'Every process of an installation makes the same link tokens and lookups.',
    check({ digests }, beside, make) {
      const random = make.bytes(linkTokenRandomBytes)
      const token = digests.makeLinkToken(random, noonMicros)
      same(beside.digests.makeLinkToken(random, noonMicros), token)
      same(beside.digests.linkLookup(token), digests.linkLookup(token))
    },
  }),
})

function bytesOf(token: string): Buffer {
  return Buffer.from(token, 'base64url')
}
