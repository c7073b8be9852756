import type { Clock } from '@sotto/core'
import type { FullOpenStorage } from '@sotto/identity'
import { createSystemClock } from '@sotto/system'
import { timeText } from './text.ts'

/** How far the clock of this machine may differ from the one that decides. */
const fineMicros = 2 * 1_000_000
/** The offset from which the time service of this machine does not work at all. */
const farMicros = 10 * 1_000_000

/** How far the clock that decides, the database's, is ahead of this machine's, in microseconds; 0 where this machine's decides. */
export function clockOffsetMicros(
  { databaseClock }: Pick<FullOpenStorage, 'databaseClock'>,
  machineClock: Clock = createSystemClock(),
): number {
  return databaseClock === undefined ? 0 : databaseClock.nowMicros() - machineClock.nowMicros()
}

/** What to do about an offset; `undefined` when it is fine. */
export function offsetText(offsetMicros: number): string | undefined {
  if (Math.abs(offsetMicros) <= fineMicros) return undefined
  const direction = offsetMicros > 0 ? 'behind' : 'ahead of'
  return `the clock of this machine is ${timeText(Math.abs(offsetMicros) / 1e6)} ${direction} that of the database, which decides: set it`
}

interface OffsetWatchOptions {
  readonly offsetMicros: () => number
  /** Calls `tick` every minute until the returned function is called. */
  readonly everyMinute: (tick: () => void) => () => void
  readonly log: OffsetLog
}

/** Where `watchClockOffset` reports. The arguments are in pino's order. */
interface OffsetLog {
  error(details: object, message: string): void
  warn(details: object, message: string): void
  info(details: object, message: string): void
}

/**
 * Logs now and every minute when the clock of this machine has begun to differ too much from the one that decides, and when it is right
 * again. Nothing is decided by it.
 */
export function watchClockOffset({ offsetMicros, everyMinute, log }: OffsetWatchOptions): () => void {
  let wasFine = true
  const tick = (): void => {
    const offset = offsetMicros()
    const text = offsetText(offset)
    const details = { offsetSeconds: Math.round(offset / 1e4) / 100 }
    if (text === undefined && !wasFine) log.info(details, 'the clock of this machine is right again')
    if (text !== undefined && wasFine) log[Math.abs(offset) > farMicros ? 'error' : 'warn'](details, text)
    wasFine = text === undefined
  }
  tick()
  return everyMinute(tick)
}
