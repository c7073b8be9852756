import { randomBytes } from 'node:crypto'
import type { Random } from '@sotto/core'

/** As many random bytes as it is asked for. Within this package a parameter only so that tests can fix it. */
export type RandomBytes = (count: number) => Buffer

const maxBytes = 65_536

/** The operating system's generator, through OpenSSL's. */
export const random: Random = {
  bytes(count) {
    if (!Number.isInteger(count) || count < 1 || count > maxBytes) {
      throw new TypeError(`random bytes come in counts from 1 to ${maxBytes}`)
    }
    return randomBytes(count)
  },
}
