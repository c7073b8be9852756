import type { Clock, Sotto, StorageError, Upkeep } from '@sotto/core'

/** How far wall clock and steady clock may part before sweeping stops: an hour. */
export const partingMicros = 3_600 * 1_000_000
/** How long ago the last recorded sweep may be before sweeping stops: 40 days. */
export const idleMicros = 40 * 86_400 * 1_000_000
/** How old the record of the last sweep may become: each record costs an fsync. */
export const recordEveryMicros = 3_600 * 1_000_000

export interface SweeperOptions {
  readonly sotto: Pick<Sotto, 'sweepExpired'>
  readonly upkeep: Pick<Upkeep, 'lastSweep' | 'recordSweep'>
  /** The wall clock. */
  readonly clock: Clock
  /** A clock that cannot be set and that runs while the machine sleeps, from any beginning. */
  readonly steadyMicros: () => number
  /** Calls `tick` every minute until the returned function is called. */
  readonly everyMinute: (tick: () => void) => () => void
  readonly log: SweeperLog
}

export interface SweeperLog {
  error(details: object, message: string): void
  warn(details: object, message: string): void
  info(details: object, message: string): void
  debug(details: object, message: string): void
}

export interface Sweeper {
  /** Stops sweeping; resolves when a running sweep has ended. */
  stop(): Promise<void>
}

/**
 * Erases what has expired, now and every minute, one sweep at a time. With a wrong clock everything would expire at once, so nothing is
 * swept while the clock is in doubt: it parted from the steady clock by more than an hour, or the last recorded sweep is more than 40
 * days ago (while a server runs, a sweep is recorded every hour). Sweeping resumes when an operator runs `sotto purge`, which records a
 * sweep.
 */
export function startSweeper(options: SweeperOptions): Sweeper {
  const sweep = createSweep(options)
  let running: Promise<void> | undefined
  const tick = (): void => {
    running ??= sweep().finally(() => {
      running = undefined
    })
  }
  const stopTimer = options.everyMinute(tick)
  tick()
  return {
    async stop() {
      stopTimer()
      await running
    },
  }
}

/** One sweep, or none while the clock is in doubt. Never rejects. */
function createSweep(options: SweeperOptions): () => Promise<void> {
  const { upkeep, clock, steadyMicros, log } = options
  let apartMicros = clock.nowMicros() - steadyMicros()
  /** While sweeping is suspended: the last sweep when that began. A later one was an operator's purge. */
  let suspended: { readonly lastMicros: number | undefined } | undefined

  return async () => {
    const last = await upkeep.lastSweep()
    if (last.isErr()) {
      logError(log, last.error)
      return
    }
    const lastMicros = last.value
    if (suspended !== undefined) {
      if (lastMicros === suspended.lastMicros) return
      suspended = undefined
      apartMicros = clock.nowMicros() - steadyMicros()
      log.info({}, 'sotto purge was run: expired secrets are erased again')
    }
    const nowMicros = clock.nowMicros()
    const reason = doubtOf({ nowMicros, steadyMicros: steadyMicros(), apartMicros, lastMicros })
    if (reason === undefined) return sweepAndRecord(options, lastMicros)
    suspended = { lastMicros }
    log.error(
      { reason },
      'expired secrets are not erased: check the clock of this machine, then run: sotto purge',
    )
  }
}

async function sweepAndRecord(options: SweeperOptions, lastMicros: number | undefined): Promise<void> {
  const { sotto, upkeep, clock, log } = options
  const swept = await sotto.sweepExpired()
  if (swept.isErr()) {
    logError(log, swept.error)
    return
  }
  if (swept.value.secrets > 0) log.debug(swept.value, 'expired secrets were erased')
  const nowMicros = clock.nowMicros()
  if (lastMicros !== undefined && nowMicros - lastMicros < recordEveryMicros) return
  const recorded = await upkeep.recordSweep(nowMicros)
  if (recorded.isErr()) logError(log, recorded.error)
}

/** Why the wall clock may be wrong; `undefined` when there is no reason to doubt it. */
function doubtOf(clocks: {
  readonly nowMicros: number
  readonly steadyMicros: number
  readonly apartMicros: number
  readonly lastMicros: number | undefined
}): string | undefined {
  const { nowMicros, steadyMicros, apartMicros, lastMicros } = clocks
  if (Math.abs(nowMicros - steadyMicros - apartMicros) > partingMicros) {
    return 'the clock was set by more than an hour'
  }
  const isLongAgo = lastMicros !== undefined && nowMicros - lastMicros > idleMicros
  return isLongAgo ? 'the last sweep was more than 40 days ago' : undefined
}

function logError(log: SweeperLog, error: StorageError): void {
  log.warn({ error }, 'expired secrets could not be erased')
}
