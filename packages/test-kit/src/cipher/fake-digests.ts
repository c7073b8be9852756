import { createHash } from 'node:crypto'
import { linkTokenFrom, type Digests } from '@sotto/core'
import type { FakeKeyRing } from './fake-key-ring.ts'

/**
 * Digests as the port requires them, except that nothing is secret: the keys are the names of the installation and the kids.
 *
 * @param installation the name of the installation; keyed digests and the time in link tokens differ between names
 */
export function createFakeDigests(keyRing: FakeKeyRing, installation: string): Digests {
  const keyed = (kid: number, text: string): Uint8Array => sha256(JSON.stringify([installation, kid, text]))
  const underEveryKey = (text: string): readonly [Uint8Array, ...Uint8Array[]] => {
    const active = keyRing.activeKid()
    const others = keyRing.kids().filter((kid) => kid !== active)
    return [keyed(active, text), ...others.map((kid) => keyed(kid, text))]
  }
  const maskOf = (random: Uint8Array): number =>
    Buffer.from(sha256('link-time', installation, random)).readUInt32BE()
  return {
    accessTokenDigest: (token) => sha256(token),
    makeLinkToken(random, atMicros) {
      const token = Buffer.concat([Buffer.alloc(4), random])
      token.writeUInt32BE((secondOf(atMicros) ^ maskOf(random)) >>> 0)
      return linkTokenFrom(token)
    },
    linkLookup(token) {
      const bytes = Buffer.from(token, 'base64url')
      const lookup = Buffer.alloc(32)
      lookup.writeUInt32BE((bytes.readUInt32BE() ^ maskOf(bytes.subarray(4))) >>> 0)
      lookup.set(sha256('sotto/v1/lookup', bytes).subarray(0, 28), 4)
      return new Uint8Array(lookup)
    },
    accountIndexes: (name) => underEveryKey(`account ${name}`),
    opaqueTokenDigest: (purpose, token) => sha256(`sotto/v1/${purpose}`, token),
    keyedDigests: (purpose, text) => underEveryKey(`${purpose} ${text}`),
    addressBucket: (address) =>
      Buffer.from(keyed(keyRing.activeKid(), `address ${address}`)).toString('base64url'),
  }
}

/** The Unix second, in 32 bits. */
function secondOf(micros: number): number {
  return Math.floor(micros / 1_000_000) >>> 0
}

function sha256(...parts: readonly (string | Uint8Array)[]): Uint8Array {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return new Uint8Array(hash.digest())
}
