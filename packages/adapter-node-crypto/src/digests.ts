import { createHmac, hash } from 'node:crypto'
import type { Digests } from '@sotto/core'
import type { RingKeys } from './key-ring.ts'

const lookupPrefix = Buffer.from('sotto/v1/lookup', 'ascii')
/** 128 bits: no two addresses share a bucket by chance. */
const addressBucketBytes = 16

export function createDigests({ ring }: { readonly ring: RingKeys }): Digests {
  return {
    accessTokenHash: (token) => hash('sha256', token, 'buffer'),

    linkLookup: (token) =>
      hash('sha256', Buffer.concat([lookupPrefix, Buffer.from(token, 'base64url')]), 'buffer'),

    emailIndexes(email) {
      const active = ring.active()
      const others = ring.all().filter(({ kid }) => kid !== active.kid)
      const indexUnder = (key: typeof active): Buffer =>
        createHmac('sha256', key.installationKey('email-index')).update(email, 'utf8').digest()
      return [indexUnder(active), ...others.map(indexUnder)]
    },

    addressBucket: (address) =>
      createHmac('sha256', ring.active().installationKey('address-bucket'))
        .update(address, 'utf8')
        .digest()
        .toString('base64url', 0, addressBucketBytes),
  }
}
