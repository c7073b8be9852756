/** Timers, so that tests need not wait. */
export interface Timers {
  /** Calls `call` once, after this many milliseconds and never before `after` returns. The returned function cancels it. */
  after(millis: number, call: () => void): () => void
}

/** The timers of Node.js. They do not keep the process alive. After 0 milliseconds means: once the event loop has handled what waits. */
export const systemTimers: Timers = {
  after(millis, call) {
    if (millis <= 0) {
      const immediate = setImmediate(call)
      return () => clearImmediate(immediate)
    }
    const timer = setTimeout(call, millis).unref()
    return () => clearTimeout(timer)
  },
}

/** Calls `tick` every minute until the returned function is called. */
export function systemEveryMinute(tick: () => void): () => void {
  const timer = setInterval(tick, 60_000)
  return () => clearInterval(timer)
}
