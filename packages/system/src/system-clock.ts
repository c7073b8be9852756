import type { Clock } from '@sotto/core'

/** How far the count may differ from the wall clock before it starts again from the wall clock, in milliseconds. */
const toleranceMillis = 5

/** The clocks of the machine. Tests replace them. */
export interface MachineClocks {
  /** The wall clock: whole milliseconds since the Unix epoch. May jump. */
  readonly wallMillis: () => number
  /** A clock that only goes forward: milliseconds with a fraction, since an arbitrary start. */
  readonly steadyMillis: () => number
}

/**
 * The wall clock with a resolution of microseconds: starts from the wall clock and counts on with the finer, steady clock. When the two
 * differ by more than the tolerance (the machine's clock was set, or the machine slept), it starts again from the wall clock. It goes
 * back only when the wall clock does.
 */
export function createSystemClock(clocks: MachineClocks = machineClocks): Clock {
  let startMillis = 0
  let lastMicros = -Infinity
  return {
    nowMicros() {
      const wall = clocks.wallMillis()
      const steady = clocks.steadyMillis()
      // The wall clock shows whole milliseconds, so it is behind by up to one of them, half of one on average.
      if (Math.abs(startMillis + steady - wall - 0.5) > toleranceMillis) startMillis = wall - steady
      const micros = Math.floor((startMillis + steady) * 1000)
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
