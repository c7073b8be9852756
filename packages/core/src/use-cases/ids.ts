import { uuidV7, uuidV7RandomBytes, type Uuid } from '../entities/uuid.ts'
import type { Random } from '../ports/random.ts'

// What the use-cases that make events and messages have in common.

/** A new id of something that happens at `nowMicros`. */
export function newId(random: Random, nowMicros: number): Uuid {
  return uuidV7(nowMicros, random.bytes(uuidV7RandomBytes))
}
