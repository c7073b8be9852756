import type { ResultAsync } from 'neverthrow'
import type { StorageError } from '../errors.ts'
import type { Ports } from '../ports/ports.ts'

export type KeyStatusDeps = Pick<Ports, 'keyRing' | 'keys'>
export type KeyStatusError = StorageError

/** A key that the store knows, and how much is under it. */
export interface KeyStatus {
  /** The number of the key. */
  readonly kid: number
  /** Whether it is the key that new rows are written under. */
  readonly active: boolean
  readonly createdAtMicros: number
  /** How many rows are under it. */
  readonly rows: number
}

/** The keys that rows may be written under, by kid, and how many rows are under each. */
export function keyStatus({
  keyRing,
  keys,
}: KeyStatusDeps): ResultAsync<readonly KeyStatus[], KeyStatusError> {
  return keys.list().map((known) =>
    known.map(({ kid, createdAtMicros, rows }) => ({
      kid,
      active: kid === keyRing.activeKid(),
      createdAtMicros,
      rows,
    })),
  )
}
