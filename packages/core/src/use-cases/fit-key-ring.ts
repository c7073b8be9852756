import { err, ok, ResultAsync, type Result } from 'neverthrow'
import type { KeyRingUnfit, StorageError } from '../errors.ts'
import type { RotationPorts } from '../ports/ports.ts'

type FitPorts = Pick<RotationPorts, 'keyRing' | 'keys' | 'clock'>
type FitKeyRingError = KeyRingUnfit | StorageError

/**
 * Holds the ring against what the store knows of its keys, and lets the store know the active one, without which nothing can be
 * written. To be called once, before anything else: a ring that is refused could read none of the data, and what it wrote would be
 * lost when the right one comes back.
 * @errors `key_ring_unfit`
 */
export function fitKeyRing(ports: FitPorts): ResultAsync<void, FitKeyRingError> {
  return new ResultAsync(fit(ports))
}

async function fit({ keyRing, keys, clock }: FitPorts): Promise<Result<void, FitKeyRingError>> {
  const known = await compare({ keyRing, keys })
  if (known.isErr()) return err(known.error)
  // A fresh store knows none; one that was restored does not know the key that was made active after its backup.
  const kid = keyRing.activeKid()
  if (known.value.includes(kid)) return ok()
  const key = { kid, checkValue: keyRing.checkValue(kid), createdAtMicros: clock.nowMicros() }
  const added = await keys.add(key)
  if (added.isErr()) return err(added.error)
  // Another process may have come before this one, with another key of this number.
  const again = await compare({ keyRing, keys })
  return again.isErr() ? err(again.error) : ok()
}

/** Ok with the kids that the store knows. */
async function compare({
  keyRing,
  keys,
}: Pick<FitPorts, 'keyRing' | 'keys'>): Promise<Result<readonly number[], FitKeyRingError>> {
  const known = await keys.list()
  if (known.isErr()) return err(known.error)
  const kids = keyRing.kids()
  for (const { kid, checkValue } of known.value) {
    if (!kids.includes(kid)) return err({ code: 'key_ring_unfit', kid, reason: 'missing' })
    if (!isSame(keyRing.checkValue(kid), checkValue))
      return err({ code: 'key_ring_unfit', kid, reason: 'wrong' })
  }
  return ok(known.value.map(({ kid }) => kid))
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at])
}
