import { err, ResultAsync, type Result } from 'neverthrow'
import type { KeyInUse, KeyNotFound, KeysUnwritable, StorageError } from '../errors.ts'
import type { PortMethods } from '../ports/ports.ts'

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
