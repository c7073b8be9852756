import type { Uuid } from './uuid.ts'

/** A position in a list that is ordered by time, then id: the next page begins after it (keyset paging). */
export interface Cursor {
  readonly createdAtMicros: number
  readonly id: Uuid
}
