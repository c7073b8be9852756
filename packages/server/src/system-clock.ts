import type { Clock } from '@sotto/core'

/** How far the fine clock may part from the wall clock before it is set by it again, in milliseconds. */
const toleranceMillis = 5

/** The machine's clocks, for those who want to stand in for them. */
export interface MachineClocks {
  /** The wall clock: whole milliseconds since the Unix epoch. May jump. */
  readonly wallMillis: () => number
  /** A clock that only goes forward: milliseconds with a fraction, since whenever. */
  readonly steadyMillis: () => number
}

/**
 * The wall clock in microseconds. It counts on from the wall clock by a finer, steady one, and begins anew whenever the two
 * part: the machine's clock was set, or the machine slept. Unless the wall clock itself goes back it never does.
 */
export function createSystemClock(clocks: MachineClocks = machineClocks): Clock {
  let anchor = 0
  let lastMicros = -Infinity
  return {
    nowMicros() {
      const wall = clocks.wallMillis()
      const steady = clocks.steadyMillis()
      // The wall clock shows whole milliseconds, so it lags behind by up to one of them.
      if (Math.abs(anchor + steady - wall - 0.5) > toleranceMillis) anchor = wall - steady
      const micros = Math.floor((anchor + steady) * 1000)
      const isJitter = micros < lastMicros && lastMicros - micros <= 2 * toleranceMillis * 1000
      lastMicros = isJitter ? lastMicros : micros
      return lastMicros
    },
  }
}

const machineClocks: MachineClocks = {
  wallMillis: () => Date.now(),
  steadyMillis: () => performance.now(),
}
