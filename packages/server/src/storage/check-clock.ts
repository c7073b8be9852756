import type { Clock, Finding, Upkeep } from '@sotto/core'
import { offsetText } from '../shared/clock-offset.ts'
import { idleMicros } from './sweeper.ts'
import { timeText } from '../shared/text.ts'
import { bad, good, unchecked } from '../shared/finding.ts'

const check = 'clock'

/** How far clocks may differ: those of two machines, or of one machine before and after it was corrected. */
const toleranceMicros = 60 * 1_000_000

/** How far the wall clock has parted from the steady clock since the watch was created, in microseconds. */
export type ClockWatch = () => number

export function createClockWatch(): ClockWatch {
  const partMicros = (): number => (Date.now() - performance.now()) * 1_000
  const beganMicros = partMicros()
  return () => partMicros() - beganMicros
}

/** Checks that the clock by which secrets expire can be right, and that of this machine if it is another one. */
export async function checkClock({
  upkeep,
  clock,
  offsetMicros,
  watch,
}: {
  readonly upkeep: Pick<Upkeep, 'lastWrite' | 'lastSweep'>
  readonly clock: Clock
  /** How far it is ahead of this machine's. */
  readonly offsetMicros: number
  readonly watch: ClockWatch
}): Promise<Finding> {
  const partedMicros = Math.abs(watch())
  if (partedMicros > 1_000_000) {
    return bad(check, `it was set by ${timeText(partedMicros / 1e6)} during this check: correct it`)
  }
  const offset = offsetText(offsetMicros)
  if (offset !== undefined) return bad(check, offset)
  const lastWrite = await upkeep.lastWrite()
  const lastSweep = await upkeep.lastSweep()
  if (lastWrite.isErr() || lastSweep.isErr()) return unchecked(check, 'the database cannot be read')
  if (lastWrite.value === undefined) {
    return good(check, 'nothing has been written yet that it could be compared with')
  }
  const nowMicros = clock.nowMicros()
  const writtenAgoMicros = nowMicros - lastWrite.value
  if (writtenAgoMicros < -toleranceMicros) {
    const text = `the last write is ${timeText(-writtenAgoMicros / 1e6)} in the future`
    return bad(check, `${text}: set the clock`)
  }
  const sweptAgoMicros = nowMicros - (lastSweep.value ?? nowMicros)
  if (sweptAgoMicros > idleMicros) {
    const text = `nothing has been erased for ${timeText(sweptAgoMicros / 1e6)}, so a server erases nothing now`
    return bad(check, `${text}: check the clock, then run: sotto purge`)
  }
  return good(check, `the last write was ${timeText(Math.max(0, writtenAgoMicros) / 1e6)} ago`)
}
