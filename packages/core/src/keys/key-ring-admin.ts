import type { ResultAsync } from 'neverthrow'
import type { KeysUnwritable } from './errors.ts'
import type { KeyRing } from '../shared/cipher.ts'

/** Changes the ring itself, durably. For key rotation: one process at a time. */
export interface KeyRingAdmin extends KeyRing {
  /** The kids of all keys in the ring, ascending. */
  kids(): readonly number[]

  /** What a database stores to tell the right key of this number from a wrong one. Reveals nothing about the key. */
  checkValue(kid: number): Uint8Array

  /** Adds a fresh random key that is not active. Ok with its kid, higher than any before it. */
  addKey(): ResultAsync<number, KeysUnwritable>

  /** Makes this key the one that new rows are written under. A key that is not in the ring is `keys_unwritable`. */
  activate(kid: number): ResultAsync<void, KeysUnwritable>

  /** Removes a key, which must not be the active one, from the ring for good. A key that is not there is not an error. */
  removeKey(kid: number): ResultAsync<void, KeysUnwritable>
}
