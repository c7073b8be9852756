import type { Timers } from '../../src/index.ts'

export interface ManualTimers extends Timers {
  /** Advances the time, and makes the calls that are due by then, in their order. */
  pass(millis: number): void
  /** The milliseconds until each call that is waiting. */
  waiting(): readonly number[]
}

/** Timers that stand still until the test advances them. */
export function createManualTimers(): ManualTimers {
  let nowMillis = 0
  let calls: { readonly atMillis: number; readonly run: () => void }[] = []
  return {
    nowMillis: () => nowMillis,
    after(millis, run) {
      const call = { atMillis: nowMillis + millis, run }
      calls.push(call)
      return { cancel: () => (calls = calls.filter((other) => other !== call)) }
    },
    waiting: () => calls.map(({ atMillis }) => atMillis - nowMillis),
    pass(millis) {
      const endMillis = nowMillis + millis
      for (;;) {
        const next = calls
          .filter(({ atMillis }) => atMillis <= endMillis)
          .sort((one, other) => one.atMillis - other.atMillis)[0]
        if (next === undefined) break
        calls = calls.filter((other) => other !== next)
        nowMillis = next.atMillis
        next.run()
      }
      nowMillis = endMillis
    },
  }
}
