import type { Timers } from '../../src/index.ts'

export interface ManualTimers extends Timers {
  /** Advances the time, and makes the calls that are due by then, in their order. */
  pass(millis: number): void
  /** The milliseconds until each call that is waiting. */
  waiting(): readonly number[]
  /** The same, only of calls that the process waits for, or of those that it does not wait for. */
  waitingFor(options: { readonly background: boolean }): readonly number[]
}

/** Timers that stand still until the test advances them. */
export function createManualTimers(): ManualTimers {
  let nowMillis = 0
  let calls: { readonly atMillis: number; readonly run: () => void; readonly background: boolean }[] = []
  const millisUntil = ({ atMillis }: { readonly atMillis: number }): number => atMillis - nowMillis
  return {
    nowMillis: () => nowMillis,
    after(millis, run, { background }) {
      const call = { atMillis: nowMillis + millis, run, background }
      calls.push(call)
      return { cancel: () => (calls = calls.filter((other) => other !== call)) }
    },
    waiting: () => calls.map(millisUntil),
    waitingFor: ({ background }) => calls.filter((call) => call.background === background).map(millisUntil),
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
