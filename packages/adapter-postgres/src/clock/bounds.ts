/** A question for the database's time, which was answered between two readings of a steady clock. All in microseconds. */
export interface ClockSample {
  /** The steady clock when the question was sent. */
  readonly askedMicros: number
  /** The steady clock when its answer was there. */
  readonly answeredMicros: number
  /** What the database's clock showed in between: since the Unix epoch. */
  readonly databaseMicros: number
}

/**
 * The bounds between which the database's clock was ahead of the steady clock, when the steady clock showed `atMicros`. In microseconds.
 */
export interface ClockBounds {
  readonly leastMicros: number
  readonly mostMicros: number
  readonly atMicros: number
}

/** How far two clocks part in a time, as a share of it: time servers slow down or speed up a clock by 500 ppm at most. */
const driftShare = 0.0005

/**
 * What is known after one more sample. Samples of quick answers say more than those of slow ones, and count until the clocks may have drifted
 * further than a later sample allows. When the samples contradict each other, the database's clock was set, the steady clock stood still
 * while the machine slept, or another machine answers: then only the latest sample counts.
 */
export function narrowBounds(known: ClockBounds | undefined, sample: ClockSample): ClockBounds {
  const { askedMicros, answeredMicros: atMicros, databaseMicros } = sample
  const seen = { leastMicros: databaseMicros - atMicros, mostMicros: databaseMicros - askedMicros, atMicros }
  if (known === undefined) return seen
  const driftMicros = (atMicros - known.atMicros) * driftShare
  const leastMicros = Math.max(seen.leastMicros, known.leastMicros - driftMicros)
  const mostMicros = Math.min(seen.mostMicros, known.mostMicros + driftMicros)
  return leastMicros <= mostMicros ? { leastMicros, mostMicros, atMicros } : seen
}

/** How far the database's clock is ahead, as far as is known: the middle. It is wrong by half the width of the bounds at most. */
export function aheadMicros({ leastMicros, mostMicros }: ClockBounds): number {
  return (leastMicros + mostMicros) / 2
}
