import { hash } from 'node:crypto'
import { linkTokenRandomBytes, type Digests, type LinkToken } from '@sotto/core'
import { createBoundedCache } from '../shared/bounded-cache.ts'
import type { RingKeys } from '../keys/key-ring.ts'
import type { InstallationPurpose } from '../keys/ring-key.ts'

const linkTimePrefix = Buffer.from('sotto/v1/link-time', 'ascii')
const lookupPrefix = Buffer.from('sotto/v1/lookup', 'ascii')
const secondBytes = 4
const linkTokenBytes = secondBytes + linkTokenRandomBytes
const lookupBytes = 32
/** 128 bits: no two addresses share a bucket by chance. */
const addressBucketBytes = 16

export function createDigests({ ring }: { readonly ring: RingKeys }): Digests {
  const buckets = createBoundedCache<string>(1_024)
  return {
    accessTokenDigest: (token) => bytesOf(hash('sha256', token, 'binary')),

    ...createLinkDigests(ring.instanceId),

    accountIndexes: (name) => underEveryKey(ring, 'account-index', name),

    opaqueTokenDigest: (purpose, token) => bytesOf(hash('sha256', `sotto/v1/${purpose}${token}`, 'binary')),

    keyedDigests: (purpose, text) => underEveryKey(ring, purpose, text),

    addressBucket(address) {
      const key = ring.active()
      return buckets.get(`${key.kid}/${address}`, () =>
        key.keyedDigest('address-bucket', address).toString('base64url', 0, addressBucketBytes),
      )
    },
  }
}

/** The keyed digests of a text under all keys of the ring, the active key's first. */
function underEveryKey(ring: RingKeys, purpose: InstallationPurpose, text: string): [Buffer, ...Buffer[]] {
  const active = ring.active()
  const digests: [Buffer, ...Buffer[]] = [active.keyedDigest(purpose, text)]
  for (const key of ring.all()) if (key.kid !== active.kid) digests.push(key.keyedDigest(purpose, text))
  return digests
}

/** The bytes of a digest. Node.js gives a digest as text in half the time that it takes to give it as a Buffer. */
function bytesOf(binary: string): Buffer {
  return Buffer.from(binary, 'binary')
}

/** Link tokens T = m ‖ r: r is random, m is the Unix second of their making under a mask that takes the instance id to compute. */
function createLinkDigests(instanceId: Uint8Array): Pick<Digests, 'makeLinkToken' | 'linkLookup'> {
  // Each digest has one buffer for its input, in which only the token changes. It is zero again before a method returns.
  const maskInput = Buffer.concat([linkTimePrefix, instanceId, Buffer.alloc(linkTokenRandomBytes)])
  const maskedRandom = maskInput.subarray(-linkTokenRandomBytes)
  const lookupInput = Buffer.concat([lookupPrefix, Buffer.alloc(linkTokenBytes)])
  const lookedUp = lookupInput.subarray(-linkTokenBytes)

  /** The mask of a link token's time: 32 bits. */
  function maskOf(random: Uint8Array): number {
    maskedRandom.set(random)
    const digest = hash('sha256', maskInput, 'hex')
    maskedRandom.fill(0)
    return parseInt(digest.slice(0, 2 * secondBytes), 16)
  }

  return {
    makeLinkToken(random, atMicros): LinkToken {
      if (random.length !== linkTokenRandomBytes) throw new TypeError('a link token takes 28 random bytes')
      const token = Buffer.allocUnsafe(linkTokenBytes)
      // Bitwise operators take the second modulo 2^32, which it reaches in 2106.
      token.writeUInt32BE((Math.floor(atMicros / 1_000_000) ^ maskOf(random)) >>> 0)
      token.set(random, secondBytes)
      return token.toString('base64url')
    },

    linkLookup(token) {
      lookedUp.write(token, 'base64url')
      const second = (lookedUp.readUInt32BE() ^ maskOf(lookedUp.subarray(secondBytes))) >>> 0
      const digest = hash('sha256', lookupInput, 'binary')
      lookedUp.fill(0)
      const lookup = Buffer.allocUnsafe(lookupBytes)
      lookup.writeUInt32BE(second)
      // The lookup holds as much of the digest as fits.
      lookup.write(digest, secondBytes, 'binary')
      return lookup
    },
  }
}
