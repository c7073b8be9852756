import { randomFillSync } from 'node:crypto'
import type { Random } from '@sotto/core'

/** `count` random bytes that nobody else has. Whoever sets them to zero has erased their only copy. */
export type RandomBytes = (count: number) => Buffer

/** How many bytes one call of the generator fetches. A call costs as much as some thousand bytes. */
const poolLength = 4_096
/** The most bytes that come from the pool at once. */
const pooledMax = 64
const maxBytes = 65_536

/**
 * Random bytes from a pool that one call of the generator fills. They are parts of the pool, because memory of their own takes longer than
 * all the rest. A pool that is used up is left to those who have its bytes.
 * @param fill fills a buffer with random bytes
 */
export function createRandomBytes(fill: (bytes: Buffer) => unknown): RandomBytes {
  const filled = (length: number): Buffer => {
    const bytes = Buffer.allocUnsafeSlow(length)
    fill(bytes)
    return bytes
  }
  let pool: Buffer = Buffer.alloc(0)
  let used = 0
  return (count) => {
    if (count > pooledMax) return filled(count)
    if (used + count > pool.length) {
      pool = filled(poolLength)
      used = 0
    }
    used += count
    return pool.subarray(used - count, used)
  }
}

/** The operating system's generator, through OpenSSL's. */
export const randomBytes: RandomBytes = createRandomBytes(randomFillSync)

export const random: Random = {
  bytes(count) {
    if (!Number.isInteger(count) || count < 1 || count > maxBytes) {
      throw new TypeError(`the count of random bytes is from 1 to ${maxBytes}`)
    }
    return randomBytes(count)
  },
}
