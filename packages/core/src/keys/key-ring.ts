import { err, ok, type Result } from 'neverthrow'
import { equalBytes } from '../shared/bytes.ts'
import type { StorageError } from '../shared/errors.ts'
import type { DepsOf } from '../shared/use-case.ts'
import type { ShownServer } from './shown-server.ts'
import type { KeyRingUnfit } from './errors.ts'
import type { KeyRingAdmin } from './key-ring-admin.ts'
import type { StoredKey } from './key-store.ts'

/** Compares a ring with the keys that a database or a backup knows: every key that is missing or different, in the order given. */
export function compareKeyRing(
  ring: Pick<KeyRingAdmin, 'kids' | 'checkValue'>,
  known: readonly Pick<StoredKey, 'kid' | 'checkValue'>[],
): readonly KeyRingUnfit[] {
  const kids = ring.kids()
  return known.flatMap(({ kid, checkValue }): readonly KeyRingUnfit[] => {
    if (!kids.includes(kid)) return [{ code: 'key_ring_unfit', kid, reason: 'missing' }]
    const isSame = equalBytes(ring.checkValue(kid), checkValue)
    return isSame ? [] : [{ code: 'key_ring_unfit', kid, reason: 'wrong' }]
  })
}

/** The key that rows are written under, of keys by kid ascending; `undefined` when there is none. The keys after it wait. */
export function activeKeyOf<Key extends Pick<StoredKey, 'isReadOnly'>>(
  known: readonly Key[],
): Key | undefined {
  return known.findLast(({ isReadOnly }) => !isReadOnly)
}

/** What keeps a ring from being used with these keys, by kid ascending. A key that waits may be missing, but not another one. */
export function unfitToServe(
  ring: Pick<KeyRingAdmin, 'kids' | 'checkValue'>,
  known: readonly StoredKey[],
): KeyRingUnfit | undefined {
  const activeKid = activeKeyOf(known)?.kid ?? 0
  return compareKeyRing(ring, known).find(({ kid, reason }) => reason === 'wrong' || kid <= activeKid)
}

/** What {@link fittingKeys} needs. */
export const fittingKeysNeeds = [
  'keys.known',
  'keyRing.refresh',
  'keyRing.kids',
  'keyRing.checkValue',
] as const

type FittingKeysDeps = DepsOf<(typeof fittingKeysNeeds)[number]>

/** Ok with the keys that the store knows; an error when the ring lacks one of them, or has another key under its number. */
export async function allFittingKeys(
  deps: FittingKeysDeps,
): Promise<Result<readonly StoredKey[], KeyRingUnfit | StorageError>> {
  return fittingKeys(deps, (ring, known) => compareKeyRing(ring, known)[0])
}

/** Ok with the keys that the store knows, unless the comparison says what keeps the ring from being used with them. */
export async function fittingKeys(
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

/** The newest of these keys, by kid ascending, that a ring holds together with all before it; 0 when it lacks the first. */
export function newestHeld(
  ring: Pick<KeyRingAdmin, 'kids' | 'checkValue'>,
  known: readonly Pick<StoredKey, 'kid' | 'checkValue'>[],
): number {
  const [unfit] = compareKeyRing(ring, known)
  return known.findLast(({ kid }) => unfit === undefined || kid < unfit.kid)?.kid ?? 0
}

/** A server shows itself every few seconds; one that has not for this long is not running. */
const livesForMicros = 60_000_000

/** The servers that run and have not shown that they hold the key. */
export function serversWithout(
  kid: number,
  servers: readonly ShownServer[],
  nowMicros: number,
): readonly ShownServer[] {
  return servers.filter((server) => server.kid < kid && nowMicros - server.seenAtMicros < livesForMicros)
}

/** The age from which servers are forgotten: they were seen this long ago. */
export const forgottenAfterMicros = 24 * 60 * livesForMicros
