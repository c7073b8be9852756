/** How many values {@link remembered} keeps. */
export const rememberedMax = 1_000

/** A longer text is not kept, because it comes from a client: no browser sends one. */
export const rememberedMaxLength = 256

/**
 * A function that remembers its values by their key. What formats dates and numbers takes microseconds for each, and the rows of a list are
 * shown again and again; browsers send the same few headers. When it has {@link rememberedMax}, it begins anew.
 */
export function remembered<Key extends number | string, Value>(
  valueOf: (key: Key) => Value,
): (key: Key) => Value {
  const known = new Map<Key, Value>()
  return (key) => {
    const found = known.get(key)
    if (found !== undefined) return found
    const value = valueOf(key)
    if (typeof key === 'string' && key.length > rememberedMaxLength) return value
    if (known.size === rememberedMax) known.clear()
    known.set(key, value)
    return value
  }
}
