import { randomFillSync } from 'node:crypto'
import type { Random } from '@sotto/core'

/** `count` random bytes in a new buffer. */
export type RandomBytes = (count: number) => Buffer

/** How many bytes one call of the generator fetches. A call costs as much as some thousand bytes. */
const poolLength = 4_096
/** More bytes than this do not come from the pool. */
const pooledMax = 64
const maxBytes = 65_536

/**
 * Random bytes from a pool that one call of the generator fills. Bytes that were handed out are set to zero in the pool, so that it
 * holds no key that is in use.
 * @param fill fills a buffer with random bytes
 */
export function createRandomBytes(fill: (bytes: Buffer) => unknown): RandomBytes {
  const pool = Buffer.allocUnsafeSlow(poolLength)
  let used = poolLength
  return (count) => {
    const bytes = Buffer.allocUnsafeSlow(count)
    if (count > pooledMax) {
      fill(bytes)
      return bytes
    }
    if (used + count > poolLength) {
      fill(pool)
      used = 0
    }
    pool.copy(bytes, 0, used, used + count)
    pool.fill(0, used, used + count)
    used += count
    return bytes
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
