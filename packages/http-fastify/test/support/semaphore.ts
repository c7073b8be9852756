import type { Semaphore } from '../../src/http/bodies/server-limits.ts'

/**
 * Takes so many permits, each for another id: `other 0`, `other 1`, … Gives what releases them. `undefined`, and none is taken, when there are
 * fewer.
 */
export function acquireAll(semaphore: Semaphore, count: number): (() => void) | undefined {
  const others = Array.from({ length: count }, (_, at) => `other ${at}`)
  const taken = others.filter((id) => semaphore.tryAcquire(id))
  const release = (): void => {
    for (const id of taken) semaphore.release(id)
  }
  if (taken.length === count) return release
  release()
  return undefined
}
