import { type Result, ResultAsync, err, ok } from 'neverthrow'
import type { ShownServer } from './shown-server.ts'
import type { KeyInUse, KeyNotFound, KeyRingUnfit, KeysUnwritable } from './errors.ts'
import type { StorageError } from '../shared/errors.ts'
import type { KeyStore, ServerStore, StoredKey } from './key-store.ts'
import type { KeyRingAdmin } from './key-ring-admin.ts'
import type { KeyRing } from '../shared/cipher.ts'
import type { Clock } from '../shared/clock.ts'
import { activeKeyOf, compareKeyRing, serversWithout, unfitToServe } from './key-ring.ts'

export interface FittingKeysDeps {
  readonly keyRing: Pick<KeyRingAdmin, 'kids' | 'checkValue' | 'refresh'>
  readonly keys: Pick<KeyStore, 'known'>
}

/** Ok with the keys that the store knows; an error when the ring lacks one of them, or has another key under its number. */
export async function allFittingKeys(
  deps: FittingKeysDeps,
): Promise<Result<readonly StoredKey[], KeyRingUnfit | StorageError>> {
  return fittingKeys(deps, (ring, known) => compareKeyRing(ring, known)[0])
}

async function fittingKeys(
  { keyRing, keys }: FittingKeysDeps,
  compare: typeof unfitToServe,
): Promise<Result<readonly StoredKey[], KeyRingUnfit | StorageError>> {
  const known = await keys.known()
  if (known.isErr()) return err(known.error)
  // Another process of this machine adds a key to the ring before it adds it to the store.
  keyRing.refresh()
  const unfit = compare(keyRing, known.value)
  return unfit === undefined ? ok(known.value) : err(unfit)
}

export type FitKeyRingDeps = FittingKeysDeps & {
  readonly keyRing: Pick<KeyRing, 'activeKid' | 'follow'>
  readonly keys: Pick<KeyStore, 'add' | 'activate'>
  readonly clock: Clock
}
export type FitKeyRingError = KeyRingUnfit | StorageError

/**
 * Compares the ring with what the store knows about its keys, and has the ring encrypt under the key that is active there. A store without
 * an active key, or with an older one, gets that of the ring. Call it once, before anything else. A ring that does not fit could not read
 * the data, and what was written under it would be lost when the right ring comes back. A key that waits may be missing.
 * @errors `key_ring_unfit`
 */
export function fitKeyRing(deps: FitKeyRingDeps): ResultAsync<void, FitKeyRingError> {
  return new ResultAsync(fit(deps))
}

async function fit(deps: FitKeyRingDeps): Promise<Result<void, FitKeyRingError>> {
  const { keyRing, keys, clock } = deps
  const known = await fittingKeys(deps, unfitToServe)
  if (known.isErr()) return err(known.error)
  // A fresh store knows no key; a restored one does not know a key that was activated after its backup.
  const kid = keyRing.activeKid()
  if (kid > (activeKeyOf(known.value)?.kid ?? 0)) {
    const checkValue = keyRing.checkValue(kid)
    const added = await keys.add({ kid, checkValue, createdAtMicros: clock.nowMicros(), isReadOnly: true })
    if (added.isErr()) return err(added.error)
    // Another process may have added a different key under this number first.
    const again = await fittingKeys(deps, unfitToServe)
    if (again.isErr()) return err(again.error)
    const activated = await keys.activate(kid)
    if (activated.isErr()) return err(activated.error)
  }
  await keyRing.follow()
  return ok()
}

export interface KeyStatusDeps {
  readonly keys: Pick<KeyStore, 'list'>
  readonly servers: Pick<ServerStore, 'list'>
  readonly clock: Clock
}
export type KeyStatusError = StorageError

/** A key that the store knows, and how much is under it. */
export interface KeyStatus {
  /** The number of the key. */
  readonly kid: number
  /** Whether it is the key that new rows are written under. */
  readonly active: boolean
  /** Whether no row is written under it yet: the next rotation makes it the active one. */
  readonly waiting: boolean
  readonly createdAtMicros: number
  /**
   * When the next key was made; `undefined` for the active key and those that wait. Backups from before need this key, and so do those
   * from before the rotation to the next key ended.
   */
  readonly replacedAtMicros: number | undefined
  /** How many rows are under it. */
  readonly rows: number
  /** The servers that run and have not shown that they hold it. */
  readonly lackedBy: readonly ShownServer[]
}

/** The keys, by kid, how many rows are under each, and which servers lack it. */
export function keyStatus(deps: KeyStatusDeps): ResultAsync<readonly KeyStatus[], KeyStatusError> {
  const { keys, servers, clock } = deps
  return keys.list().andThen((known) =>
    servers.list().map((shown) => {
      const activeKid = activeKeyOf(known)?.kid ?? 0
      return known.map(({ kid, createdAtMicros, rows }, at): KeyStatus => {
        const lackedBy = serversWithout(kid, shown, clock.nowMicros())
        const [active, waiting] = [kid === activeKid, kid > activeKid]
        const replacedAtMicros = active || waiting ? undefined : known[at + 1]?.createdAtMicros
        return { kid, active, waiting, createdAtMicros, replacedAtMicros, rows, lackedBy }
      })
    }),
  )
}

export interface RetireKeyDeps {
  readonly keyRing: Pick<KeyRingAdmin, 'follow' | 'activeKid' | 'kids' | 'activate' | 'removeKey'>
  readonly keys: Pick<KeyStore, 'retire' | 'list'>
}
export interface RetireKeyInput {
  /** The number of the key. */
  readonly kid: number
}
export type RetireKeyError = KeyInUse | KeyNotFound | KeysUnwritable | StorageError

/**
 * Retires a key: from now on no row can be written under it, and it leaves the ring. Backups that were made under it cannot be restored
 * without a copy of it. When it is killed half-way, running it again finishes it.
 * @errors `key_in_use` when it is the active key or a row is under it; `key_not_found`
 */
export function retireKey(deps: RetireKeyDeps, input: RetireKeyInput): ResultAsync<void, RetireKeyError> {
  return new ResultAsync(retire(deps, input))
}

async function retire(
  { keyRing, keys }: RetireKeyDeps,
  { kid }: RetireKeyInput,
): Promise<Result<void, RetireKeyError>> {
  await keyRing.follow()
  const activeKid = keyRing.activeKid()
  if (kid === activeKid) return refuseActive(keys, kid)
  const retired = await keys.retire(kid)
  if (retired.isErr()) return err(retired.error)
  if (!retired.value && !keyRing.kids().includes(kid)) return err({ code: 'key_not_found' })
  // This key is still the active one of the ring on a machine to which the key file was copied before the rotation.
  return keyRing.activate(activeKid).andThen(() => keyRing.removeKey(kid))
}

async function refuseActive(
  keys: RetireKeyDeps['keys'],
  kid: number,
): Promise<Result<never, KeyInUse | StorageError>> {
  const known = await keys.list()
  if (known.isErr()) return err(known.error)
  const rows = known.value.find((key) => key.kid === kid)?.rows ?? 0
  return err({ code: 'key_in_use', rows })
}
