import { err, ok, ResultAsync, type Result } from 'neverthrow'
import type { KeyRingUnfit, StorageError } from '../errors.ts'
import type { PortMethods } from '../ports/ports.ts'
import { knownKids, type KnownKidsDeps } from './known-keys.ts'

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
