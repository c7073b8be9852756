/** A field of a value whose type is not known; `undefined` when there is none. */
export function fieldOf(value: unknown, name: string): unknown {
  return value === undefined || value === null ? undefined : (value as Record<string, unknown>)[name]
}
