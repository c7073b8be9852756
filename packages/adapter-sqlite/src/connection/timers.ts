import { performance } from 'node:perf_hooks'

/** A clock that only goes forward, and a way to be called later. Tests drive it by hand. */
export interface Timers {
  /** Milliseconds since an arbitrary time; only the difference of two readings has a meaning. */
  nowMillis(): number

  /**
   * Calls `run` once after `millis`.
   * @param background whether the process may end without waiting for it
   */
  after(millis: number, run: () => void, options: { readonly background: boolean }): Timer
}

/** A call that {@link Timers.after} has planned. */
export interface Timer {
  /** Does nothing when it has run already. */
  cancel(): void
}

export const systemTimers: Timers = {
  nowMillis: () => performance.now(),
  after(millis, run, { background }) {
    const timeout = setTimeout(run, millis)
    if (background) timeout.unref()
    return { cancel: () => clearTimeout(timeout) }
  },
}
