import type { Database, Inspection } from '@sotto/adapter-sqlite'
import type { Clock, StorageError } from '@sotto/core'
import type { Result } from 'neverthrow'
import { timeText } from '../cli/counting.ts'
import { idleMicros } from '../sweeper.ts'
import { unchecked, well, wrong, type Finding } from './finding.ts'

/** Clocks of two machines, or of one that was put right, may differ by so much. */
const toleranceMicros = 60 * 1_000_000

/** Tells by how much the wall clock has parted from the one that only goes forward, in microseconds. */
export type ClockWatch = () => number

export function createClockWatch(): ClockWatch {
  const partMicros = (): number => (Date.now() - performance.now()) * 1_000
  const beganMicros = partMicros()
  return () => partMicros() - beganMicros
}

/** Whether the clock of this machine can be right: secrets expire by it. */
export async function checkClock({
  database: { upkeep },
  inspected,
  clock,
  watch,
}: {
  readonly database: Pick<Database, 'upkeep'>
  readonly inspected: Result<Inspection, StorageError>
  readonly clock: Clock
  readonly watch: ClockWatch
}): Promise<Finding> {
  const partedMicros = watch()
  if (Math.abs(partedMicros) > 1_000_000) {
    return wrong(
      'clock',
      `it was set by ${timeText(Math.abs(partedMicros) / 1e6)} within this examination: see to it`,
    )
  }
  const lastSweep = await upkeep.lastSweep()
  if (inspected.isErr() || lastSweep.isErr()) return unchecked('clock', 'the database cannot be read')
  const nowMicros = clock.nowMicros()
  const { lastWriteMicros } = inspected.value
  if (lastWriteMicros === undefined)
    return well('clock', 'nothing was written yet that it could be held against')
  const agoMicros = nowMicros - lastWriteMicros
  if (agoMicros < -toleranceMicros) {
    return wrong(
      'clock',
      `the last write lies ${timeText(-agoMicros / 1e6)} in the future: set the clock of this machine`,
    )
  }
  const sweptAgoMicros = nowMicros - (lastSweep.value ?? nowMicros)
  if (sweptAgoMicros > idleMicros) {
    return wrong(
      'clock',
      `nothing was erased for ${timeText(sweptAgoMicros / 1e6)}, so a server waits: check the clock, then run: sotto purge`,
    )
  }
  return well('clock', `the last write was ${timeText(Math.max(0, agoMicros) / 1e6)} ago`)
}
