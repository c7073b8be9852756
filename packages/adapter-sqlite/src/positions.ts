import type { TimePosition } from '@sotto/core'
import { uuidBytes } from './codec.ts'

/** Before every moment and every id. */
const beginning: [number, Buffer] = [Number.MIN_SAFE_INTEGER, Buffer.alloc(0)]

/** The position behind which an ascending list goes on, as `(time, id) > (?, ?)` wants it. */
export function positionOf(after: TimePosition | undefined): [createdAt: number, id: Buffer] {
  return after === undefined ? beginning : [after.createdAtMicros, uuidBytes(after.id)]
}
