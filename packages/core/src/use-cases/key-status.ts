import type { ResultAsync } from 'neverthrow'
import type { StorageError } from '../errors.ts'
import type { RotationPorts } from '../ports/ports.ts'

export interface KeyStatus {
  readonly kid: number
  readonly active: boolean
  readonly createdAtMicros: number
  /** Rows that hang on it. */
  readonly rows: number
}

/** The keys that the store admits, by kid, and how many rows hang on each. */
export function keyStatus({
  keyRing,
  keys,
}: Pick<RotationPorts, 'keyRing' | 'keys'>): ResultAsync<readonly KeyStatus[], StorageError> {
  return keys.list().map((known) =>
    known.map(({ kid, createdAtMicros, rows }) => ({
      kid,
      active: kid === keyRing.activeKid(),
      createdAtMicros,
      rows,
    })),
  )
}
