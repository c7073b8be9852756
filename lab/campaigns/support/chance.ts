/** Repeatable randomness: the same seed gives the same numbers. */
export interface Chance {
  /** A whole number from `least` to `most`, both included. */
  between(least: number, most: number): number
  /** True in `percent` of 100 cases. */
  happens(percent: number): boolean
  /** One element; `undefined` when the list is empty. */
  pick<T>(list: readonly T[]): T | undefined
}

/** mulberry32, by Tommy Ettinger: 32 bits of state are plenty for choosing moments. */
export function createChance(seed: number): Chance {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const between = (least: number, most: number): number => least + Math.floor(next() * (most - least + 1))
  return {
    between,
    happens: (percent) => next() * 100 < percent,
    pick: (list) => list[between(0, list.length - 1)],
  }
}
