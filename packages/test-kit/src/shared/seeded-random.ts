import type { Random } from '@sotto/core'

/**
 * Random bytes that repeat: the same seed gives the same bytes in the same order. For tests only, because anyone can predict them.
 *
 * @param seed any whole number
 */
export function createSeededRandom(seed: number): Random {
  let state = seed >>> 0
  return {
    bytes(count) {
      const bytes = new Uint8Array(count)
      for (let at = 0; at < count; at += 4) {
        state = (state + 0x9e3779b9) >>> 0
        const word = mixed(state)
        for (let part = 0; part < 4 && at + part < count; part += 1) bytes[at + part] = word >>> (8 * part)
      }
      return bytes
    },
  }
}

/** The finalizer of MurmurHash3: spreads each bit of the counter over the whole word. */
function mixed(counter: number): number {
  let word = counter
  word = Math.imul(word ^ (word >>> 16), 0x85ebca6b)
  word = Math.imul(word ^ (word >>> 13), 0xc2b2ae35)
  return (word ^ (word >>> 16)) >>> 0
}
