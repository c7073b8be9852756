import type { Places } from '../../src/http/bodies/server-limits.ts'

/**
 * Takes so many places, each for another one: `other 0`, `other 1`, … Gives what gives them back. `undefined`, and none is taken, when there
 * are less.
 */
export function takeAll(places: Places, count: number): (() => void) | undefined {
  const others = Array.from({ length: count }, (_, at) => `other ${at}`)
  const taken = others.filter((id) => places.take(id))
  const giveBack = (): void => {
    for (const id of taken) places.giveBack(id)
  }
  if (taken.length === count) return giveBack
  giveBack()
  return undefined
}
