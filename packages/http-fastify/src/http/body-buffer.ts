import type { BodyRoom } from './body-room.ts'

/** Why a body is not held: it is longer than it may be, or all bodies together are. */
export type BodyRefusal = 'too_large' | 'no_room'

/** The bytes of one body, as far as it has arrived. */
export interface BodyBuffer {
  /** Adds what has arrived. After a refusal nothing is held, and whatever else arrives is refused. */
  add(chunk: Uint8Array): BodyRefusal | undefined
  /** All that has arrived; `undefined` after a refusal. */
  bytes(): Uint8Array | undefined
  /** Forgets the bytes and gives their room back. */
  release(): void
}

/**
 * Holds a body in one piece of memory, because a chunk of one byte takes hundreds as an object of its own. It grows with what arrives, not
 * with what is announced: a client that only announces a body takes no room from others.
 */
export function createBodyBuffer(maxBytes: number, room: BodyRoom): BodyBuffer {
  let memory = Buffer.alloc(0)
  let length = 0
  let refusal: BodyRefusal | undefined
  const grow = (needed: number): boolean => {
    const size = Math.min(maxBytes, Math.max(needed, 2 * memory.length))
    if (!room.resize(memory.length, size)) return false
    const larger = Buffer.allocUnsafeSlow(size)
    memory.copy(larger, 0, 0, length)
    memory = larger
    return true
  }
  const put = (chunk: Uint8Array): BodyRefusal | undefined => {
    const needed = length + chunk.length
    if (needed > maxBytes) return 'too_large'
    if (needed > memory.length && !grow(needed)) return 'no_room'
    memory.set(chunk, length)
    length = needed
    return undefined
  }
  const release = (): void => {
    room.resize(memory.length, 0)
    memory = Buffer.alloc(0)
    length = 0
  }
  return {
    add(chunk) {
      refusal ??= put(chunk)
      if (refusal !== undefined) release()
      return refusal
    },
    bytes: () => (refusal === undefined ? memory.subarray(0, length) : undefined),
    release,
  }
}
