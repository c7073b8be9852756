import { createHash } from 'node:crypto'
import { linkTokenFrom, type Digests, type LinkToken } from '@sotto/core'
import type { CipherHarness, FakeCipher } from '@sotto/test-kit'
import { brokenCipher, type Broken } from './broken.ts'

/** Flaws of the digests of access tokens, account names and addresses. */
export const brokenDigests: readonly Broken<CipherHarness>[] = [
  digests('adds a prefix to access tokens', ['digests/access-token-digest-is-sha-256'], () => ({
    accessTokenDigest: (token) => sha256(`token ${token}`),
  })),
  digests('does not key names and addresses', ['digests/keyed-ones-differ-between-installations'], () => ({
    accountIndexes: (name) => [sha256(`name ${name}`)],
    addressBucket: (address) => sha256(`address ${address}`).toString('hex'),
  })),
  digests('gives another bucket each time', ['digests/are-deterministic'], () => {
    let asked = 0
    return { addressBucket: (address) => sha256(`${(asked += 1)} ${address}`).toString('hex') }
  }),
  digests('has the index of the active key only', ['digests/name-has-an-index-for-each-key'], (real) => ({
    accountIndexes: (name) => [real.accountIndexes(name)[0]],
  })),
  digests("puts the oldest key's index first", ['digests/name-has-an-index-for-each-key'], (real) => ({
    accountIndexes: (name) => real.accountIndexes(name).toReversed() as [Uint8Array, ...Uint8Array[]],
  })),
  digests('cuts names at the @', ['digests/account-indexes-differ-between-names'], (real) => ({
    accountIndexes: (name) => real.accountIndexes(name.split('@')[0] ?? ''),
  })),
  digests('reveals the address', ['digests/address-bucket-is-a-short-name'], (real) => ({
    addressBucket: (address) =>
      `${real.addressBucket(address)}/${Buffer.from(address).toString('hex')}`.slice(0, 90),
  })),
  digests('has long names', ['digests/address-bucket-is-a-short-name'], (real) => ({
    addressBucket: (address) => real.addressBucket(address).repeat(4),
  })),
]

/** Flaws of the digests of sessions, one-time links, attempts to sign in and known addresses. */
export const brokenOwnerDigests: readonly Broken<CipherHarness>[] = [
  digests('has one digest for all purposes', ['digests/opaque-token-digest-is-of-one-purpose'], (real) => ({
    opaqueTokenDigest: (_, token) => real.opaqueTokenDigest('session', token),
  })),
  digests('adds no prefix to tokens', ['digests/opaque-token-digest-is-of-one-purpose'], (real) => ({
    opaqueTokenDigest: (purpose, token) =>
      purpose === 'session' ? sha256(token) : real.opaqueTokenDigest(purpose, token),
  })),
  digests('keys the digests of tokens', ['digests/opaque-token-digest-is-of-one-purpose'], (real) => ({
    opaqueTokenDigest: (purpose, token) => real.accountIndexes(`${purpose} ${token}`)[0],
  })),
  digests(
    'ignores the last character of a token',
    ['digests/opaque-token-digest-is-of-one-purpose'],
    (real) => ({
      opaqueTokenDigest: (purpose, token) => real.opaqueTokenDigest(purpose, token.slice(0, -1)),
    }),
  ),
  digests(
    'has a keyed digest of the active key only',
    ['digests/text-has-a-keyed-digest-for-each-key'],
    (real) => ({
      keyedDigests: (purpose, text) => [real.keyedDigests(purpose, text)[0]],
    }),
  ),
  digests("puts the oldest key's digest first", ['digests/text-has-a-keyed-digest-for-each-key'], (real) => ({
    keyedDigests: (purpose, text) =>
      real.keyedDigests(purpose, text).toReversed() as [Uint8Array, ...Uint8Array[]],
  })),
  digests('has one keyed digest for all purposes', ['digests/keyed-digests-hide-the-text'], (real) => ({
    keyedDigests: (_, text) => real.keyedDigests('known-address', text),
  })),
  digests('takes a text for the name of an account', ['digests/keyed-digests-hide-the-text'], (real) => ({
    keyedDigests: (purpose, text) =>
      purpose === 'known-address' ? real.accountIndexes(text) : real.keyedDigests(purpose, text),
  })),
  digests(
    'does not key the digests of texts',
    ['digests/keyed-digests-hide-the-text', 'digests/keyed-ones-differ-between-installations'],
    (real) => ({
      keyedDigests: (purpose, text) =>
        purpose === 'known-address' ? [sha256(text)] : real.keyedDigests(purpose, text),
    }),
  ),
]

/** Flaws of link tokens and their lookups. */
export const brokenLinkTokens: readonly Broken<CipherHarness>[] = [
  digests('drops the last random byte', ['digests/link-token-carries-its-random-bytes'], (real) => ({
    makeLinkToken: (random, atMicros) =>
      real.makeLinkToken(Uint8Array.from([...random.subarray(0, 27), 0]), atMicros),
  })),
  digests('makes another token each time', ['digests/link-token-is-deterministic'], (real) => {
    let made = 0
    return { makeLinkToken: (random, atMicros) => real.makeLinkToken(random, atMicros + 1_000_000 * made++) }
  }),
  digests('ignores the time', ['digests/link-token-is-deterministic'], (real) => ({
    makeLinkToken: (random) => real.makeLinkToken(random, 0),
  })),
  digests('makes tokens by the millisecond', ['digests/link-token-is-deterministic'], (real) => ({
    makeLinkToken: (random, atMicros) => real.makeLinkToken(random, atMicros * 1_000),
  })),
  digests(
    'shows the time in the token',
    ['digests/link-token-hides-its-time', 'digests/link-time-differs-between-installations'],
    () => plainTime,
  ),
  digests('gives a lookup without the second', ['digests/lookup-begins-with-the-second'], () => ({
    linkLookup: (token) => sha256(`lookup ${token}`),
  })),
  digests(
    'writes the second little-endian',
    ['digests/lookup-begins-with-the-second', 'digests/later-lookups-sort-later'],
    (real) => ({
      linkLookup(token) {
        const lookup = Buffer.from(real.linkLookup(token))
        lookup.subarray(0, 4).swap32()
        return lookup
      },
    }),
  ),
  digests('uses only the first half of a token', ['digests/lookup-covers-the-whole-token'], (real) => ({
    linkLookup: (token) => withHash(real.linkLookup(token), `lookup ${token.slice(0, 20)}`),
  })),
  digests('hashes only the random bytes of a token', ['digests/lookup-covers-the-whole-token'], (real) => ({
    linkLookup: (token) => withHash(real.linkLookup(token), `lookup ${token.slice(6)}`),
  })),
  digests('hashes the bare token', ['digests/lookup-covers-the-whole-token'], (real) => ({
    linkLookup: (token) => withHash(real.linkLookup(token), Buffer.from(token, 'base64url')),
  })),
  digests('keys the lookup of a link', ['digests/links-outlive-keys'], (real, { keyRing }) => ({
    linkLookup: (token) => withHash(real.linkLookup(token), `${keyRing.activeKid()} ${token}`),
  })),
  digests('hides the time with the active key', ['digests/links-outlive-keys'], (real, { keyRing }) => ({
    makeLinkToken: (random, atMicros) =>
      real.makeLinkToken(random, atMicros + keyRing.activeKid() * 1_000_000),
  })),
  digests('hides the time differently in each process', ['digests/links-are-the-same-beside'], (real) => {
    processes += 1
    const offsetMicros = processes * 1_000_000
    return { makeLinkToken: (random, atMicros) => real.makeLinkToken(random, atMicros + offsetMicros) }
  }),
]

let processes = 0

function digests(
  flaw: string,
  breaks: readonly string[],
  change: (real: Digests, all: FakeCipher) => Partial<Digests>,
): Broken<CipherHarness> {
  return brokenCipher(flaw, breaks, (all) => ({ digests: { ...all.digests, ...change(all.digests, all) } }))
}

function sha256(text: string | Uint8Array): Buffer {
  return createHash('sha256').update(text).digest()
}

/** The lookup with the hash of something else. */
function withHash(lookup: Uint8Array, hashed: string | Uint8Array): Uint8Array {
  return Uint8Array.from([...lookup.subarray(0, 4), ...sha256(hashed).subarray(0, 28)])
}

/** Link tokens that begin with the plain second. */
const plainTime = {
  makeLinkToken(random: Uint8Array, atMicros: number): LinkToken {
    const token = Buffer.concat([Buffer.alloc(4), random])
    token.writeUInt32BE(Math.floor(atMicros / 1_000_000))
    return linkTokenFrom(token)
  },
}
