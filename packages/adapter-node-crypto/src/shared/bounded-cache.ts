/** A cache that drops values which were not used lately. */
export interface BoundedCache<Value> {
  /** The value of this name; `make` gives it when the cache does not have it. */
  get(name: string, make: () => Value): Value
}

/**
 * Holds at most twice `generationSize` values, in two generations. A value that is used moves to the young generation. When that is full,
 * it becomes the old one, and the old one is dropped. A hit costs one look-up, which it does not in a list in order of use.
 */
export function createBoundedCache<Value>(generationSize: number): BoundedCache<Value> {
  let young = new Map<string, Value>()
  let old = new Map<string, Value>()
  return {
    get(name, make) {
      const cached = young.get(name)
      if (cached !== undefined) return cached
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
