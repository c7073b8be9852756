/** A cache that forgets what was not asked for lately. */
export interface BoundedCache<Value> {
  /** The value of this name, made when it is not there. */
  get(name: string, make: () => Value): Value
}

/**
 * Holds at most twice `generationSize` values, in two generations: what is asked for moves to the young one; when that is full
 * it becomes the old one, and the old one is forgotten. Unlike a list in order of use this costs a hit nothing but the look-up.
 */
export function createBoundedCache<Value>(generationSize: number): BoundedCache<Value> {
  let young = new Map<string, Value>()
  let old = new Map<string, Value>()
  return {
    get(name, make) {
      const held = young.get(name)
      if (held !== undefined) return held
      const value = old.get(name) ?? make()
      if (young.size >= generationSize) {
        old = young
        young = new Map()
      }
      young.set(name, value)
      return value
    },
  }
}
