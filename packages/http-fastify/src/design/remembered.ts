/** How many texts {@link remembered} keeps. */
export const rememberedMax = 1_000

/**
 * A function that remembers its texts by their key: what formats dates and numbers takes microseconds for each, and the rows of a list are
 * shown again and again. When it has {@link rememberedMax}, it begins anew.
 */
export function remembered(textOf: (key: number) => string): (key: number) => string {
  const known = new Map<number, string>()
  return (key) => {
    const found = known.get(key)
    if (found !== undefined) return found
    if (known.size === rememberedMax) known.clear()
    const text = textOf(key)
    known.set(key, text)
    return text
  }
}
