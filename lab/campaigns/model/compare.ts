import { inspect, isDeepStrictEqual } from 'node:util'

/** Two answers that should be the same. */
class Divergence extends Error {
  constructor(what: string, one: readonly [string, unknown], other: readonly [string, unknown]) {
    const shown = [one, other].map(
      ([name, value]) => `\n  ${name}: ${inspect(value, { depth: 8, breakLength: 160 })}`,
    )
    super(`${what}${shown.join('')}`)
    this.name = 'Divergence'
  }
}

export function compare(
  what: string,
  one: readonly [string, unknown],
  other: readonly [string, unknown],
): void {
  const [a, b] = [comparable(one[1]), comparable(other[1])]
  if (!isDeepStrictEqual(a, b)) throw new Divergence(what, [one[0], a], [other[0], b])
}

/** Compares what a rule says of a value with the value: members that the rule does not name may be any. */
export function like(what: string, value: unknown, expected: unknown): void {
  compare(what, ['the answer', partOf(value, expected)], ['the rules', expected])
}

function partOf(value: unknown, expected: unknown): unknown {
  if (typeof expected !== 'object' || expected === null || typeof value !== 'object' || value === null)
    return value
  if (Array.isArray(value)) return value.map((each, at) => partOf(each, (expected as unknown[])[at]))
  const members = Object.entries(expected).map(([name, each]) => [
    name,
    partOf((value as Readonly<Record<string, unknown>>)[name], each),
  ])
  return Object.fromEntries(members)
}

/** An absent member is as good as `undefined`. */
function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(comparable)
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return Object.fromEntries(members.map(([name, member]) => [name, comparable(member)]))
}
