import { err, ok, ResultAsync, type Result } from 'neverthrow'
import type { KeyInUse, KeyNotFound, KeysUnwritable, StorageError } from '../errors.ts'
import type { RotationPorts } from '../ports/ports.ts'

type RetirePorts = Pick<RotationPorts, 'keyRing' | 'keys'>
type RetireKeyError = KeyInUse | KeyNotFound | KeysUnwritable | StorageError

/**
 * Retires a key: from now on no row can be written under it, and it leaves the ring. Backups that were made under it cannot be
 * restored without a copy of it. Killed half-way and started again it finishes.
 * @errors `key_in_use` when it is the active key or a row hangs on it; `key_not_found`
 */
export function retireKey(
  ports: RetirePorts,
  { kid }: { readonly kid: number },
): ResultAsync<void, RetireKeyError> {
  return new ResultAsync(retire(ports, kid))
}

async function retire({ keyRing, keys }: RetirePorts, kid: number): Promise<Result<void, RetireKeyError>> {
  keyRing.refresh()
  if (kid === keyRing.activeKid()) return err({ code: 'key_in_use', rows: await rowsUnder(keys, kid) })
  const retired = await keys.retire(kid)
  if (retired.isErr()) return err(retired.error)
  const inRing = keyRing.kids().includes(kid)
  if (!retired.value && !inRing) return err({ code: 'key_not_found' })
  const removed = await keyRing.removeKey(kid)
  return removed.isErr() ? err(removed.error) : ok()
}

async function rowsUnder(keys: RetirePorts['keys'], kid: number): Promise<number> {
  const known = await keys.list()
  return known.unwrapOr([]).find((key) => key.kid === kid)?.rows ?? 0
}
