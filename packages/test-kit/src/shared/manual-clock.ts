import type { Clock } from '@sotto/core'

/** A clock that stands still until it is moved. */
export interface ManualClock extends Clock {
  /** Moves the time forward, or back with a negative number. */
  advance(micros: number): void
  /** Sets the time, as a machine's clock may be set. */
  set(nowMicros: number): void
}

/**
 * A clock that stands still until a test moves it.
 * @param startMicros whole microseconds since the Unix epoch
 */
export function createManualClock(startMicros: number): ManualClock {
  let now = whole(startMicros)
  return {
    nowMicros: () => now,
    advance(micros) {
      now = whole(now + micros)
    },
    set(nowMicros) {
      now = whole(nowMicros)
    },
  }
}

function whole(micros: number): number {
  if (!Number.isSafeInteger(micros)) throw new TypeError('a clock shows whole microseconds')
  return micros
}
