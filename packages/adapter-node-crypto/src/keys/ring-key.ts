import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'
import type { KeyedDigestPurpose, TextColumn, UnstoredPlace, Uuid } from '@sotto/core'
import { createBoundedCache } from '../shared/bounded-cache.ts'
import { createHmacSha256, type Hmac } from '../shared/hmac.ts'

/** What a key of an account is for: the column that it encrypts. */
export type AccountPurpose = TextColumn | UnstoredPlace['column'] | 'secret.head' | 'secret.wrap'

/** What a key of the whole installation is for. */
export type InstallationPurpose = KeyedDigestPurpose | 'account-index' | 'address-bucket'

/** A key of the ring, and the keys that are derived from it. The ring's own key encrypts nothing. */
export interface RingKey {
  readonly kid: number
  /** Whether `key` is the same key. */
  equals(key: KeyObject): boolean
  accountKey(purpose: AccountPurpose, accountId: Uuid): KeyObject
  /** The digest of a text under the key of a purpose. */
  keyedDigest(purpose: InstallationPurpose, text: string): Buffer
  /** 32 bytes with which a database recognises this key and rejects another one of the same number. They reveal nothing about it. */
  checkValue(): Buffer
}

/** At most twice this many keys that are derived from one key of the ring are cached, about half a kilobyte each. */
const generationSize = 2_048
const keyLength = 32
/** HKDF takes at most 1,024 bytes of info. An id that is longer than a UUID is a corrupted row's; its key decrypts nothing. */
const idMaxLength = 100

/** @param options.instanceId the salt: two installations that share a key file by mistake share no derived key */
export function createRingKey(options: {
  readonly kid: number
  readonly key: KeyObject
  readonly instanceId: Uint8Array
}): RingKey {
  const { kid, key, instanceId } = options
  const derived = createBoundedCache<KeyObject>(generationSize)
  const hmacs = createBoundedCache<Hmac>(generationSize)
  // HKDF-SHA256 (RFC 5869).
  const derive = (info: string): Buffer =>
    Buffer.from(hkdfSync('sha256', key, instanceId, `sotto/v1/${info}`, keyLength))
  const derivedKey = (info: string): KeyObject => derived.get(info, () => secretKeyFrom(derive(info)))
  return {
    kid,
    equals: (other) => key.equals(other),
    accountKey: (purpose, accountId) => derivedKey(`${purpose}/${accountId.slice(0, idMaxLength)}`),
    keyedDigest: (purpose, text) => hmacs.get(purpose, () => createHmacSha256(derive(purpose)))(text),
    checkValue: () => derive('check-value'),
  }
}

/** A key object with these bytes, which are zero afterwards. */
export function secretKeyFrom(bytes: Uint8Array): KeyObject {
  const key = createSecretKey(bytes)
  bytes.fill(0)
  return key
}
