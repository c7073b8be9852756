/** Calls back after some milliseconds. Returns a function that cancels it. */
export type After = (millis: number, callBack: () => void) => () => void

/** The timers of Node.js. */
export const afterMillis: After = (millis, callBack) => {
  const timer = setTimeout(callBack, millis)
  return () => clearTimeout(timer)
}
