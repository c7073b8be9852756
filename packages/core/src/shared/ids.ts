import { uuidV7, uuidV7RandomBytes, type Uuid } from './uuid.ts'
import type { Random } from './random.ts'

/** A new id of something that is made at `nowMicros`. */
export function newId(random: Random, nowMicros: number): Uuid {
  return uuidV7(nowMicros, random.bytes(uuidV7RandomBytes))
}
