import type { ResultAsync } from 'neverthrow'
import type { StorageError } from '../errors.ts'
import type { PortMethods } from '../ports/ports.ts'

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
