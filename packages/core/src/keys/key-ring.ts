import { equalBytes } from '../shared/bytes.ts'
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
