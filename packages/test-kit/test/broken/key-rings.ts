import type { Digests } from '@sotto/core'
import type { CipherHarness, FakeCipher, FakeKeyRing } from '@sotto/test-kit'
import { createHash } from 'node:crypto'
import { errAsync, okAsync } from 'neverthrow'
import { fakeCipherHarness } from '../harnesses.ts'
import { brokenCipher, type Broken } from './broken.ts'

export const brokenKeyRings: readonly Broken<CipherHarness>[] = [
  ring(
    'lists the latest key first',
    ['key-ring/has-an-active-key', 'key-ring/added-key-is-not-active'],
    ({ kids }) => ({
      kids: () => kids().toReversed(),
    }),
  ),
  ring('activates what it adds', ['key-ring/added-key-is-not-active'], ({ addKey, activate }) => ({
    addKey: () => addKey().andThen((kid) => activate(kid).map(() => kid)),
  })),
  ring('gives the kid of a removed key again', ['key-ring/kid-is-never-used-again'], ({ file, addKey }) => ({
    addKey() {
      file.nextKid = Math.max(...file.kids) + 1
      return addKey()
    },
  })),
  ring(
    'never goes back to an older key',
    ['key-ring/activate-changes-the-active-key'],
    ({ activate, activeKid }) => ({
      activate: (kid) => (kid < activeKid() ? okAsync(undefined) : activate(kid)),
    }),
  ),
  ring('removes no key', ['key-ring/removed-key-is-gone'], () => ({
    removeKey: () => okAsync(undefined),
  })),
  ring('fails to remove what is not there', ['key-ring/removed-key-is-gone'], ({ kids, removeKey }) => ({
    removeKey: (kid) =>
      kids().includes(kid) ? removeKey(kid) : errAsync({ code: 'keys_unwritable', detail: 'no such key' }),
  })),
  ring('has one check value for all keys', ['key-ring/check-value-tells-keys-apart'], ({ checkValue }) => ({
    checkValue: () => checkValue(1),
  })),
  ring('has another check value each time', ['key-ring/check-value-tells-keys-apart'], () => {
    let asked = 0
    return { checkValue: () => Uint8Array.of((asked += 1)) }
  }),
  {
    fault: 'has keys of its own in each process',
    breaks: ['key-ring/keys-are-shared'],
    harness: fakeCipherHarness({ beside: () => ({ kids: [7], activeKid: 7, nextKid: 8, usable: true }) }),
  },
  ring('reads its keys once', ['key-ring/unknown-key-is-looked-for'], ({ kids }) => ({
    holds: (kid) => kids().includes(kid),
  })),
  ring('does not read its keys anew', ['key-ring/refresh-learns-of-changes'], () => ({
    refresh: () => undefined,
  })),
  {
    ...ring('throws when its keys cannot be read', ['key-ring/unusable-ring-stays-known'], ({ file }) => ({
      refresh() {
        if (!file.usable) throw new RangeError('unusable')
      },
    })),
    thrown: RangeError,
  },
  ring(
    'forgets its keys when they cannot be read',
    ['key-ring/unusable-ring-stays-known'],
    ({ file, kids }) => ({
      kids: () => (file.usable ? kids() : []),
    }),
  ),
  ring(
    'says that it added a key, and did not',
    ['key-ring/unusable-ring-is-not-changed'],
    ({ file, addKey }) => ({
      addKey: () => (file.usable ? addKey() : okAsync(9)),
    }),
  ),
]

/** Ciphers whose ring is changed in place, since they hold it. */
function ring(
  fault: string,
  breaks: readonly string[],
  change: (ring: FakeKeyRing) => Partial<FakeKeyRing>,
): Broken<CipherHarness> {
  return brokenCipher(fault, breaks, ({ keyRing }) => {
    Object.assign(keyRing, change({ ...keyRing }))
    return {}
  })
}

export const brokenDigests: readonly Broken<CipherHarness>[] = [
  digests('adds a prefix to access tokens', ['digests/access-token-hash-is-sha-256'], () => ({
    accessTokenHash: (token) => sha256(`token ${token}`),
  })),
  digests('hashes the bare link token', ['digests/link-lookup-is-one-of-its-own'], () => ({
    linkLookup: (token) => sha256(Buffer.from(token, 'base64url')),
  })),
  digests('looks at the beginning of a link token', ['digests/link-lookup-is-one-of-its-own'], () => ({
    linkLookup: (token) => sha256(`lookup ${token.slice(0, 1)}`),
  })),
  digests('keys the lookup of a link', ['digests/unkeyed-ones-outlive-keys'], (_, { keyRing }) => ({
    linkLookup: (token) => sha256(`${keyRing.activeKid()} ${token}`),
  })),
  digests('does not key emails and addresses', ['digests/unkeyed-ones-are-the-same-everywhere'], () => ({
    emailIndexes: (email) => [sha256(`email ${email}`)],
    addressBucket: (address) => sha256(`address ${address}`).toString('hex'),
  })),
  digests('salts each answer', ['digests/are-deterministic'], () => {
    let asked = 0
    return { addressBucket: (address) => sha256(`${(asked += 1)} ${address}`).toString('hex') }
  }),
  digests('has the index of the active key only', ['digests/email-has-an-index-for-each-key'], (real) => ({
    emailIndexes: (email) => [real.emailIndexes(email)[0]],
  })),
  digests("puts the oldest key's index first", ['digests/email-has-an-index-for-each-key'], (real) => ({
    emailIndexes: (email) => real.emailIndexes(email).toReversed() as [Uint8Array, ...Uint8Array[]],
  })),
  digests('cuts emails at the @', ['digests/email-index-tells-emails-apart'], (real) => ({
    emailIndexes: (email) => real.emailIndexes(email.split('@')[0] ?? ''),
  })),
  digests('gives the address away', ['digests/address-bucket-is-a-short-name'], (real) => ({
    addressBucket: (address) =>
      `${real.addressBucket(address)}/${Buffer.from(address).toString('hex')}`.slice(0, 90),
  })),
  digests('has long names', ['digests/address-bucket-is-a-short-name'], (real) => ({
    addressBucket: (address) => real.addressBucket(address).repeat(4),
  })),
]

function digests(
  fault: string,
  breaks: readonly string[],
  change: (real: Digests, all: FakeCipher) => Partial<Digests>,
): Broken<CipherHarness> {
  return brokenCipher(fault, breaks, (all) => ({ digests: { ...all.digests, ...change(all.digests, all) } }))
}

function sha256(text: string | Uint8Array): Buffer {
  return createHash('sha256').update(text).digest()
}
