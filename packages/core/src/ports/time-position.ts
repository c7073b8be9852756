import type { Uuid } from '../entities/uuid.ts'

/** A place in a list that is ordered by time, then id: the list goes on behind it (keyset paging). */
export interface TimePosition {
  readonly createdAtMicros: number
  readonly id: Uuid
}
