import { type Result, ResultAsync, err, ok } from 'neverthrow'
import type { KeyInUse, KeyNotFound, KeyRingUnfit, KeysUnwritable, StorageError } from '../errors.ts'
import type { PortMethods } from '../ports/ports.ts'
import { compareKeyRing } from '../rules/key-ring.ts'

export type KnownKidsDeps = PortMethods<{ keyRing: 'kids' | 'checkValue' | 'refresh'; keys: 'list' }>

/** Ok with the kids that the store knows; an error when the ring lacks one of these keys, or has another key under its number. */
export async function knownKids({
  keyRing,
  keys,
}: KnownKidsDeps): Promise<Result<readonly number[], KeyRingUnfit | StorageError>> {
  const known = await keys.list()
  if (known.isErr()) return err(known.error)
  // Another process of this machine adds a key to the ring before it adds it to the store.
  keyRing.refresh()
  const [unfit] = compareKeyRing(keyRing, known.value)
  return unfit === undefined ? ok(known.value.map(({ kid }) => kid)) : err(unfit)
}

export type FitKeyRingDeps = KnownKidsDeps &
  PortMethods<{ keyRing: 'activeKid' | 'checkValue'; keys: 'add'; clock: 'nowMicros' }>
export type FitKeyRingError = KeyRingUnfit | StorageError

/**
 * Compares the ring with what the store knows about its keys, and adds the active key to the store: without it nothing can be written.
 * Call it once, before anything else. A ring that does not fit could not read the data, and what was written under it would be lost when
 * the right ring comes back.
 * @errors `key_ring_unfit`
 */
export function fitKeyRing(deps: FitKeyRingDeps): ResultAsync<void, FitKeyRingError> {
  return new ResultAsync(fit(deps))
}

async function fit({ keyRing, keys, clock }: FitKeyRingDeps): Promise<Result<void, FitKeyRingError>> {
  const known = await knownKids({ keyRing, keys })
  if (known.isErr()) return err(known.error)
  // A fresh store knows no key; a restored one does not know a key that was activated after its backup.
  const kid = keyRing.activeKid()
  if (known.value.includes(kid)) return ok()
  const key = { kid, checkValue: keyRing.checkValue(kid), createdAtMicros: clock.nowMicros() }
  const added = await keys.add(key)
  if (added.isErr()) return err(added.error)
  // Another process may have added a different key under this number first.
  const again = await knownKids({ keyRing, keys })
  return again.isErr() ? err(again.error) : ok()
}

export type KeyStatusDeps = PortMethods<{ keyRing: 'activeKid'; keys: 'list' }>
export type KeyStatusError = StorageError

/** A key that the store knows, and how much is under it. */
export interface KeyStatus {
  /** The number of the key. */
  readonly kid: number
  /** Whether it is the key that new rows are written under. */
  readonly active: boolean
  readonly createdAtMicros: number
  /**
   * When the next key was made; `undefined` for the newest one. Backups from before need this key, and so do those from before the
   * rotation to the next key ended.
   */
  readonly replacedAtMicros: number | undefined
  /** How many rows are under it. */
  readonly rows: number
}

/** The keys that rows may be written under, by kid, and how many rows are under each. */
export function keyStatus({
  keyRing,
  keys,
}: KeyStatusDeps): ResultAsync<readonly KeyStatus[], KeyStatusError> {
  return keys.list().map((known) =>
    known.map(({ kid, createdAtMicros, rows }, at) => ({
      kid,
      active: kid === keyRing.activeKid(),
      createdAtMicros,
      replacedAtMicros: known[at + 1]?.createdAtMicros,
      rows,
    })),
  )
}

export type RetireKeyDeps = PortMethods<{
  keyRing: 'refresh' | 'activeKid' | 'kids' | 'removeKey'
  keys: 'retire' | 'list'
}>
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
  keyRing.refresh()
  if (kid === keyRing.activeKid()) return refuseActive(keys, kid)
  const retired = await keys.retire(kid)
  if (retired.isErr()) return err(retired.error)
  if (!retired.value && !keyRing.kids().includes(kid)) return err({ code: 'key_not_found' })
  return keyRing.removeKey(kid)
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
