import { equalBytes } from '../bytes.ts'
import type { KeyRingUnfit } from '../errors.ts'
import type { KeyRingAdmin } from '../ports/cipher.ts'
import type { StoredKey } from '../ports/key-store.ts'

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
