import type { Purged, StorageError } from '@sotto/core'
import type { Result } from 'neverthrow'

/** How far wall clock and steady clock may part before nothing is swept: an hour. */
export const partingMicros = 3_600 * 1_000_000
/** How long ago the last write may be before nothing is swept: 40 days. */
export const idleMicros = 40 * 86_400 * 1_000_000
/** How old the note of the last sweep may become: each note costs an fsync. */
export const noteEveryMicros = 3_600 * 1_000_000

export interface SweeperOptions {
  /** Erases what has expired. */
  readonly purge: () => PromiseLike<Result<Purged, StorageError>>
  /** When something was last erased, or looked for, by any process; `undefined` before the first time. */
  readonly lastSweep: () => PromiseLike<Result<number | undefined, StorageError>>
  /** Notes that at this moment. */
  readonly noteSweep: (nowMicros: number) => PromiseLike<Result<void, StorageError>>
  /** The wall clock. */
  readonly wallMicros: () => number
  /** A clock that cannot be set and goes on while the machine sleeps, from whenever. */
  readonly steadyMicros: () => number
  /** Calls `tick` every minute until the function that it returns is called. */
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
  /** Stops sweeping; done when a sweep that is under way has ended. */
  stop(): Promise<void>
}

/**
 * Erases what has expired, now and every minute, one sweep at a time. A clock that is wrong would expire everything at once, so
 * nothing is swept while there is reason to doubt it: it parted from the steady clock by more than an hour, or the last write
 * lies more than 40 days back (every hour of sweeping writes). Such a hold lasts until an operator calls for a purge, which
 * notes a sweep.
 */
export function startSweeper(options: SweeperOptions): Sweeper {
  const sweep = createSweep(options)
  let underWay: Promise<void> | undefined
  const tick = (): void => {
    underWay ??= sweep().finally(() => {
      underWay = undefined
    })
  }
  const stopTimer = options.everyMinute(tick)
  tick()
  return {
    async stop() {
      stopTimer()
      await underWay
    },
  }
}

/** One sweep, or none while there is doubt. Never rejects. */
function createSweep(options: SweeperOptions): () => Promise<void> {
  const { wallMicros, steadyMicros, log } = options
  let apartMicros = wallMicros() - steadyMicros()
  /** While it holds still: the last sweep when that began. Another one since then was called for by an operator. */
  let hold: { readonly lastMicros: number | undefined } | undefined

  return async () => {
    const last = await options.lastSweep()
    if (last.isErr()) {
      logFailure(log, last.error)
      return
    }
    const lastMicros = last.value
    if (hold !== undefined) {
      if (lastMicros === hold.lastMicros) return
      hold = undefined
      apartMicros = wallMicros() - steadyMicros()
      log.info({}, 'a purge was called for: expired secrets are erased again')
    }
    const reason = doubtOf({ nowMicros: wallMicros(), steadyMicros: steadyMicros(), apartMicros, lastMicros })
    if (reason === undefined) return sweep(options, lastMicros)
    hold = { lastMicros }
    log.error(
      { reason },
      'expired secrets are not erased: check the clock of this machine, then run: sotto purge',
    )
  }
}

async function sweep(options: SweeperOptions, lastMicros: number | undefined): Promise<void> {
  const { purge, noteSweep, wallMicros, log } = options
  const purged = await purge()
  if (purged.isErr()) {
    logFailure(log, purged.error)
    return
  }
  if (purged.value.secrets > 0) log.debug(purged.value, 'expired secrets were erased')
  const nowMicros = wallMicros()
  if (lastMicros !== undefined && nowMicros - lastMicros < noteEveryMicros) return
  const noted = await noteSweep(nowMicros)
  if (noted.isErr()) logFailure(log, noted.error)
}

/** Why the wall clock may be wrong; `undefined` when nothing speaks against it. */
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
  return isLongAgo ? 'the last write lies more than 40 days back' : undefined
}

function logFailure(log: SweeperLog, failure: StorageError): void {
  log.warn({ failure }, 'expired secrets could not be erased')
}
