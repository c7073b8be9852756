import type { Timers } from '../../src/shared/timers.ts'

/** Timers whose time passes only when a test says so. */
export interface TestTimers extends Timers {
  readonly nowMicros: () => number
  /** Lets time pass, and everything happen that it leads to. */
  advance(millis: number): Promise<void>
}

export function createTestTimers(beginMicros = 1_700_000_000_000_000): TestTimers {
  let nowMillis = 0
  let waiting: readonly { readonly atMillis: number; readonly call: () => void }[] = []
  return {
    nowMicros: () => beginMicros + nowMillis * 1_000,
    after(millis, call) {
      const timer = { atMillis: nowMillis + millis, call }
      waiting = [...waiting, timer]
      return () => {
        waiting = waiting.filter((other) => other !== timer)
      }
    },
    async advance(millis) {
      const endMillis = nowMillis + millis
      await settled()
      for (;;) {
        const [next] = waiting
          .filter(({ atMillis }) => atMillis <= endMillis)
          .sort((one, other) => one.atMillis - other.atMillis)
        if (next === undefined) break
        waiting = waiting.filter((other) => other !== next)
        nowMillis = Math.max(nowMillis, next.atMillis)
        next.call()
        await settled()
      }
      nowMillis = endMillis
    },
  }
}

/** Resolves when all promises have had their turn that do not wait for a timer or for the world outside. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
