import type { Timers } from './timers.ts'

/** How soon a step comes again after an error, in milliseconds; each further error in a row doubles it. */
const backOffMillis = { first: 1_000, most: 60_000 }

export interface RepeaterOptions {
  /**
   * Does a part of the work. Resolves to how many milliseconds may pass before the next part, 0 when there is more to do now, or to
   * `failed` when it is to be tried again later. Never rejects.
   */
  readonly step: () => Promise<number | 'failed'>
  readonly timers: Timers
}

export interface Repeater {
  /**
   * Tells the repeater that there may be something to do now. Costs next to nothing, and begins nothing before the caller's own work has
   * ended.
   */
  wake(): void
  /** Begins no further step; resolves when the one that runs has ended. */
  stop(): Promise<void>
}

/**
 * Repeats a step: one at a time, each in a turn of the event loop of its own, so that requests come in between. After an error it waits,
 * whoever wakes it: a store that fails is not asked all the time.
 */
export function startRepeater({ step, timers }: RepeaterOptions): Repeater {
  let isStopped = false
  let isWoken = false
  let failures = 0
  let running: Promise<void> | undefined
  /** Cancels what leads to the next step. `soon` is false while it waits for a time. */
  let next: { readonly soon: boolean; readonly cancel: () => void } | undefined

  const plan = (millis: number): void => {
    next = { soon: millis === 0, cancel: timers.after(millis, run) }
  }
  const run = (): void => {
    next = undefined
    isWoken = false
    running = step().then((outcome) => {
      running = undefined
      if (isStopped) return
      failures = outcome === 'failed' ? failures + 1 : 0
      if (outcome === 'failed') plan(Math.min(backOffMillis.first * 2 ** (failures - 1), backOffMillis.most))
      else plan(isWoken ? 0 : outcome)
    })
  }
  plan(0)
  return {
    wake() {
      isWoken = true
      if (isStopped || running !== undefined || failures > 0 || next?.soon === true) return
      next?.cancel()
      plan(0)
    },
    async stop() {
      isStopped = true
      next?.cancel()
      await running
    },
  }
}
