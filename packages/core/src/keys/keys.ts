import { err, ok } from 'neverthrow'
import { aNumber } from '../shared/inputs.ts'
import { useCase } from '../shared/use-case.ts'
import { keyNotFound, type KeyInUse } from './errors.ts'
import {
  activeKeyOf,
  allFittingKeys,
  fittingKeys,
  fittingKeysNeeds,
  serversWithout,
  unfitToServe,
} from './key-ring.ts'
import type { KeyStore } from './key-store.ts'
import type { ShownServer } from './shown-server.ts'

/**
 * Compares the ring with what the store knows about its keys, and has the ring encrypt under the key that is active there. A store without
 * an active key, or with an older one, gets that of the ring. Call it once, before anything else. A ring that does not fit could not read
 * the data, and what was written under it would be lost when the right ring comes back. A key that waits may be missing.
 * @errors `key_ring_unfit`
 */
export const fitKeyRing = useCase({
  needs: [
    ...fittingKeysNeeds,
    'keys.add',
    'keys.activate',
    'keyRing.activeKid',
    'keyRing.follow',
    'clock.nowMicros',
  ],
  async run(deps) {
    const { keyRing, keys, clock } = deps
    const known = await fittingKeys(deps, unfitToServe)
    if (known.isErr()) return known
    // A fresh store knows no key; a restored one does not know a key that was activated after its backup.
    const kid = keyRing.activeKid()
    if (kid > (activeKeyOf(known.value)?.kid ?? 0)) {
      const checkValue = keyRing.checkValue(kid)
      const added = await keys.add({ kid, checkValue, createdAtMicros: clock.nowMicros(), isReadOnly: true })
      if (added.isErr()) return added
      // Another process may have added a different key under this number first.
      const again = await fittingKeys(deps, unfitToServe)
      if (again.isErr()) return again
      const activated = await keys.activate(kid)
      if (activated.isErr()) return activated
    }
    await keyRing.follow()
    return ok()
  },
})

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
export const keyStatus = useCase({
  needs: ['keys.list', 'servers.list', 'clock.nowMicros'],
  async run({ keys, servers, clock }) {
    const known = await keys.list()
    if (known.isErr()) return known
    const shown = await servers.list()
    if (shown.isErr()) return shown
    const activeKid = activeKeyOf(known.value)?.kid ?? 0
    const status = known.value.map(({ kid, createdAtMicros, rows }, at): KeyStatus => {
      const lackedBy = serversWithout(kid, shown.value, clock.nowMicros())
      const [active, waiting] = [kid === activeKid, kid > activeKid]
      const replacedAtMicros = active || waiting ? undefined : known.value[at + 1]?.createdAtMicros
      return { kid, active, waiting, createdAtMicros, replacedAtMicros, rows, lackedBy }
    })
    return ok<readonly KeyStatus[]>(status)
  },
})

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
 * @errors `key_ring_unfit` when another machine has added a key to the store that is not in this ring; nothing is changed then;
 * `keys_unwritable`
 */
export const addKey = useCase({
  needs: [...fittingKeysNeeds, 'keyRing.addKey', 'keyRing.removeKey', 'keys.add', 'clock.nowMicros'],
  // The order matters: the key is in the ring before the store knows it.
  async run(deps) {
    const { keyRing, keys, clock } = deps
    const known = await allFittingKeys(deps)
    if (known.isErr()) return known
    const newest = known.value.at(-1)?.kid ?? 0
    if (newest > (activeKeyOf(known.value)?.kid ?? 0)) return ok<WaitingKey>({ kid: newest, added: false })
    const left = keyRing.kids().find((kid) => kid > newest)
    const next = left === undefined ? await keyRing.addKey() : ok(left)
    if (next.isErr()) return next
    const kid = next.value
    const checkValue = keyRing.checkValue(kid)
    const added = await keys.add({ kid, checkValue, createdAtMicros: clock.nowMicros(), isReadOnly: true })
    if (added.isErr()) return added
    const fits = await allFittingKeys(deps)
    if (fits.isOk()) return ok<WaitingKey>({ kid, added: true })
    // Another machine was first to add a key under this number. Nothing can have been written under ours.
    if (fits.error.code !== 'key_ring_unfit' || fits.error.kid !== kid) return fits
    const removed = await keyRing.removeKey(kid)
    return removed.isErr() ? removed : fits
  },
})

/**
 * Retires a key: from now on no row can be written under it, and it leaves the ring. Backups that were made under it cannot be restored
 * without a copy of it. When it is killed half-way, running it again finishes it.
 * @errors `key_in_use` when it is the active key or a row is under it; `key_not_found`; `keys_unwritable`
 */
export const retireKey = useCase({
  needs: [
    'keyRing.follow',
    'keyRing.activeKid',
    'keyRing.kids',
    'keyRing.activate',
    'keyRing.removeKey',
    'keys.retire',
    'keys.list',
  ],
  takes: {
    /** The number of the key. */
    kid: aNumber,
  },
  async run({ keyRing, keys }, { kid }) {
    await keyRing.follow()
    const activeKid = keyRing.activeKid()
    if (kid === activeKid) return refuseActive(keys, kid)
    const retired = await keys.retire(kid)
    if (retired.isErr()) return retired
    if (!retired.value && !keyRing.kids().includes(kid)) return err(keyNotFound)
    // This key is still the active one of the ring on a machine to which the key file was copied before the rotation.
    return keyRing.activate(activeKid).andThen(() => keyRing.removeKey(kid))
  },
})

async function refuseActive(keys: Pick<KeyStore, 'list'>, kid: number) {
  const known = await keys.list()
  if (known.isErr()) return known
  const rows = known.value.find((key) => key.kid === kid)?.rows ?? 0
  return err<never, KeyInUse>({ code: 'key_in_use', rows })
}
