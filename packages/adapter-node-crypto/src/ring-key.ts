import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'
import type { TextPlace, Uuid } from '@sotto/core'
import { createBoundedCache } from './bounded-cache.ts'

/** What a key of an account is for: the column that it encrypts. */
export type AccountPurpose = TextPlace['column'] | 'secret.head' | 'secret.wrap'

/** What a key of the whole installation is for. */
export type InstallationPurpose = 'email-index' | 'address-bucket'

/** A key of the ring, and the keys that are derived from it. The ring's own key encrypts nothing. */
export interface RingKey {
  readonly kid: number
  /** Whether `key` is the very same. */
  equals(key: KeyObject): boolean
  accountKey(purpose: AccountPurpose, accountId: Uuid): KeyObject
  installationKey(purpose: InstallationPurpose): KeyObject
  /** 32 bytes by which a database tells this key from a wrong one of the same number; they reveal nothing of it. */
  checkValue(): Buffer
}

/** Derived keys that one key of the ring keeps at hand: twice this many at most, about half a kilobyte each. */
const generationSize = 2_048
const keyLength = 32
/** HKDF takes 1,024 bytes of info. What is longer than a UUID is a damaged row's, and finds a key that opens nothing. */
const idMaxLength = 100

/** @param options.instanceId the salt: two installations that share a key file by mistake share no derived key */
export function createRingKey(options: {
  readonly kid: number
  readonly key: KeyObject
  readonly instanceId: Uint8Array
}): RingKey {
  const { kid, key, instanceId } = options
  const derived = createBoundedCache<KeyObject>(generationSize)
  // HKDF-SHA256 (RFC 5869).
  const derive = (info: string): Buffer =>
    Buffer.from(hkdfSync('sha256', key, instanceId, `sotto/v1/${info}`, keyLength))
  const derivedKey = (info: string): KeyObject => derived.get(info, () => secretKeyFrom(derive(info)))
  return {
    kid,
    equals: (other) => key.equals(other),
    accountKey: (purpose, accountId) => derivedKey(`${purpose}/${accountId.slice(0, idMaxLength)}`),
    installationKey: (purpose) => derivedKey(purpose),
    checkValue: () => derive('check-value'),
  }
}

/** Takes the bytes over: they are zero afterwards. */
export function secretKeyFrom(bytes: Uint8Array): KeyObject {
  const key = createSecretKey(bytes)
  bytes.fill(0)
  return key
}
