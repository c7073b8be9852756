import { createHash } from 'node:crypto'
import type { Digests } from '@sotto/core'
import type { FakeKeyRing } from './fake-key-ring.ts'

/**
 * Digests as the port wants them, except that the keys are no secret: they are the names of installation and key.
 *
 * @param installation keyed digests of two installations differ
 */
export function createFakeDigests(keyRing: FakeKeyRing, installation: string): Digests {
  const keyed = (kid: number, text: string): Uint8Array => sha256(JSON.stringify([installation, kid, text]))
  return {
    accessTokenHash: (token) => sha256(token),
    linkLookup: (token) => sha256('sotto/v1/lookup', Buffer.from(token, 'base64url')),
    emailIndexes(email) {
      const active = keyRing.activeKid()
      const others = keyRing.kids().filter((kid) => kid !== active)
      return [keyed(active, `email ${email}`), ...others.map((kid) => keyed(kid, `email ${email}`))]
    },
    addressBucket: (address) =>
      Buffer.from(keyed(keyRing.activeKid(), `address ${address}`)).toString('base64url'),
  }
}

function sha256(...parts: readonly (string | Uint8Array)[]): Uint8Array {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return new Uint8Array(hash.digest())
}
