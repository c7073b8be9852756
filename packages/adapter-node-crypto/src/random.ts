import { randomFillSync } from 'node:crypto'
import type { Random } from '@sotto/core'

/** As many random bytes as it is asked for, in a buffer of their own. */
export type RandomBytes = (count: number) => Buffer

/** Bytes that are fetched at once. A call of the generator costs as much as some thousand bytes from it. */
const poolLength = 4_096
/** Longer ones are fetched by themselves. */
const pooledMax = 64
const maxBytes = 65_536

/**
 * Random bytes out of a pool that is filled in one call. What was handed out is zero in the pool from then on, so that no key can be
 * found there.
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
      throw new TypeError(`random bytes come in counts from 1 to ${maxBytes}`)
    }
    return randomBytes(count)
  },
}
