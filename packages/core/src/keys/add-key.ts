import { err, ok, ResultAsync, type Result } from 'neverthrow'
import type { KeyRingUnfit, KeysUnwritable } from './errors.ts'
import type { StorageError } from '../shared/errors.ts'
import type { KeyRingAdmin } from './key-ring-admin.ts'
import type { KeyStore } from './key-store.ts'
import type { Clock } from '../shared/clock.ts'
import { activeKeyOf } from './key-ring.ts'
import { allFittingKeys, type FittingKeysDeps } from './keys.ts'

export type AddKeyDeps = FittingKeysDeps & {
  readonly keyRing: Pick<KeyRingAdmin, 'kids' | 'addKey' | 'checkValue' | 'removeKey'>
  readonly keys: Pick<KeyStore, 'add'>
  readonly clock: Clock
}
export type AddKeyError = KeyRingUnfit | KeysUnwritable | StorageError

/** A key that waits until a rotation makes it the active one. */
export interface WaitingKey {
  /** The number of the key. */
  readonly kid: number
  /** Whether this call added it; false when it was there already. */
  readonly added: boolean
}

/**
 * Adds a key that rows may be read under, and none is written under yet: time to copy it to every other machine. Needs no password. A key
 * that waits already is that key, also one that a call left in the ring that was killed.
 * @errors `key_ring_unfit` when another machine has added a key to the store that is not in this ring; nothing is changed then
 */
export function addKey(deps: AddKeyDeps): ResultAsync<WaitingKey, AddKeyError> {
  return new ResultAsync(add(deps))
}

/** The order matters: the key is in the ring before the store knows it. */
async function add(deps: AddKeyDeps): Promise<Result<WaitingKey, AddKeyError>> {
  const { keyRing, keys, clock } = deps
  const known = await allFittingKeys(deps)
  if (known.isErr()) return err(known.error)
  const newest = known.value.at(-1)?.kid ?? 0
  if (newest > (activeKeyOf(known.value)?.kid ?? 0)) return ok({ kid: newest, added: false })
  const left = keyRing.kids().find((kid) => kid > newest)
  const next = left === undefined ? await keyRing.addKey() : ok<number, AddKeyError>(left)
  if (next.isErr()) return err(next.error)
  const kid = next.value
  const checkValue = keyRing.checkValue(kid)
  const added = await keys.add({ kid, checkValue, createdAtMicros: clock.nowMicros(), isReadOnly: true })
  if (added.isErr()) return err(added.error)
  const fits = await allFittingKeys(deps)
  if (fits.isOk()) return ok({ kid, added: true })
  // Another machine was first to add a key under this number. Nothing can have been written under ours.
  if (fits.error.code !== 'key_ring_unfit' || fits.error.kid !== kid) return err(fits.error)
  const removed = await keyRing.removeKey(kid)
  return err(removed.isErr() ? removed.error : fits.error)
}
