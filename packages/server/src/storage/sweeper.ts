import type { Clock, ErrorOf, Upkeep } from '@sotto/core'
import type { FullSotto } from '@sotto/identity'

/** How far the wall clock may be set ahead before sweeping stops: an hour. */
export const partingMicros = 3_600 * 1_000_000
/** How long ago the last recorded sweep may be before sweeping stops: 40 days. */
export const idleMicros = 40 * 86_400 * 1_000_000
/** How old the record of the last sweep may become: each record costs an fsync. */
export const recordEveryMicros = 3_600 * 1_000_000

/** How long after the machine started its clock may be set ahead by more: an hour. Time servers correct it in this time. */
export const settlingMicros = 3_600 * 1_000_000
/** How often contents are looked for that broken uploads left: it reads the list of all files. */
const orphansEveryMicros = 3_600 * 1_000_000
/** How often a suspended sweep is logged again. */
const remindEveryMicros = 3_600 * 1_000_000

export interface SweeperOptions {
  readonly sotto: Pick<FullSotto, 'sweepExpired' | 'sweepFiles'>
  readonly upkeep: Pick<Upkeep, 'lastSweep' | 'recordSweep' | 'lastWrite'>
  /** The wall clock. */
  readonly clock: Clock
  /** A clock that cannot be set and that runs while the machine sleeps: the time since the machine started. */
  readonly steadyMicros: () => number
  /** Calls `tick` every minute until the returned function is called. */
  readonly everyMinute: (tick: () => void) => () => void
  readonly log: SweeperLog
}

/** Where `startSweeper` reports how it goes. The arguments are in pino's order. */
export interface SweeperLog {
  /** Nothing is erased, because the clock is in doubt. */
  error(details: object, message: string): void
  /** A sweep failed; the next one tries again. */
  warn(details: object, message: string): void
  /** The clock is no longer in doubt. */
  info(details: object, message: string): void
  /** A sweep erased something. */
  debug(details: object, message: string): void
}

/** A sweeper that runs. */
export interface Sweeper {
  /** Stops sweeping; resolves when a running sweep has ended, which it does after its current batch. */
  stop(): Promise<void>
}

/**
 * Erases what has expired, now and every minute, one sweep at a time. With a clock that is ahead, secrets would be erased too early, so
 * nothing is swept while the clock is in doubt:
 * - The last recorded sweep is more than 40 days ago. While a server runs, a sweep is recorded every hour.
 * - The clock is more than an hour ahead of where it should be. It should show the latest time that is known, plus the time that has passed
 *   since on the steady clock. What is known is the clock itself at each sweep, and at first the latest time that any process has written.
 *
 * A correction is therefore told from a mistake without a person in these cases: the clock is set back (then nothing is erased too early);
 * it was behind and is set to a time that follows what was written last; it was ahead and is set back, which ends the doubt; it is set
 * within an hour after the machine started, as by the first answer of a time server. In the last case the clock counts like that of a
 * server which starts after it was set: only the 40 days limit it.
 *
 * In all other cases sweeping resumes when an operator runs `sotto purge`, which records a sweep. Until then the log says so every hour.
 */
export function startSweeper(options: SweeperOptions): Sweeper {
  let isStopped = false
  const sweep = createSweep(options, () => isStopped)
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
      isStopped = true
      stopTimer()
      await running
    },
  }
}

/** One sweep, or none while the clock is in doubt. Never rejects. */
function createSweep(options: SweeperOptions, isStopped: () => boolean): () => Promise<void> {
  const { upkeep, clock, steadyMicros, log } = options
  let known: Known | undefined
  let orphansAtMicros = -Infinity
  /** While sweeping is suspended: the last sweep when that began. A later one was an operator's purge. */
  let suspended: { readonly lastMicros: number | undefined; remindedAtMicros: number } | undefined

  return async () => {
    const last = await upkeep.lastSweep()
    if (last.isErr()) {
      logError(log, last.error)
      return
    }
    const lastMicros = last.value
    const now: Known = { wallMicros: clock.nowMicros(), steadyMicros: steadyMicros() }
    if (known === undefined) {
      const written = await upkeep.lastWrite()
      if (written.isErr()) {
        logError(log, written.error)
        return
      }
      known = { ...now, wallMicros: Math.max(now.wallMicros, written.value ?? -Infinity) }
    }
    if (suspended !== undefined && lastMicros !== suspended.lastMicros) known = now
    const reason = doubtOf({ now, known, lastMicros })
    if (reason === undefined) {
      if (suspended !== undefined)
        log.info({}, 'the clock is no longer in doubt: expired secrets are erased again')
      suspended = undefined
      known = { ...now, wallMicros: Math.max(now.wallMicros, expectedMicros(known, now)) }
      const withOrphans = now.steadyMicros - orphansAtMicros >= orphansEveryMicros
      if (withOrphans) orphansAtMicros = now.steadyMicros
      return sweepAndRecord(options, { lastMicros, isStopped, withOrphans })
    }
    const isReminderDue =
      suspended === undefined || now.steadyMicros - suspended.remindedAtMicros >= remindEveryMicros
    if (!isReminderDue) return
    suspended = {
      lastMicros: suspended === undefined ? lastMicros : suspended.lastMicros,
      remindedAtMicros: now.steadyMicros,
    }
    log.error({ reason }, 'expired secrets are not erased: check the clock, then run: sotto purge')
  }
}

/** A time that was right as far as is known, and what the steady clock said then. */
interface Known {
  readonly wallMicros: number
  readonly steadyMicros: number
}

function expectedMicros(known: Known, now: Known): number {
  return known.wallMicros + now.steadyMicros - known.steadyMicros
}

async function sweepAndRecord(
  options: SweeperOptions,
  {
    lastMicros,
    isStopped,
    withOrphans,
  }: {
    readonly lastMicros: number | undefined
    readonly isStopped: () => boolean
    readonly withOrphans: boolean
  },
): Promise<void> {
  const { sotto, upkeep, clock, log } = options
  const swept = await sotto.sweepExpired({ shouldStop: isStopped })
  if (swept.isErr()) {
    logError(log, swept.error)
    return
  }
  if (swept.value.secrets > 0) log.debug(swept.value, 'expired secrets were erased')
  const files = await sotto.sweepFiles({ withOrphans, shouldStop: isStopped })
  if (files.isErr())
    log.warn({ error: files.error }, 'files that nobody can read any more could not be dropped')
  else if (files.value.files + files.value.orphans > 0) log.debug(files.value, 'files were dropped')
  // A sweep that was stopped is not complete.
  if (isStopped()) return
  const nowMicros = clock.nowMicros()
  if (lastMicros !== undefined && nowMicros - lastMicros < recordEveryMicros) return
  const recorded = await upkeep.recordSweep(nowMicros)
  if (recorded.isErr()) logError(log, recorded.error)
}

/** Why the wall clock may be ahead; `undefined` when there is no reason to doubt it. */
function doubtOf({
  now,
  known,
  lastMicros,
}: {
  readonly now: Known
  readonly known: Known
  readonly lastMicros: number | undefined
}): string | undefined {
  if (lastMicros !== undefined && now.wallMicros - lastMicros > idleMicros) {
    return 'the last sweep was more than 40 days ago'
  }
  const isAhead = now.wallMicros - expectedMicros(known, now) > partingMicros
  return isAhead && now.steadyMicros > settlingMicros
    ? 'the clock was set ahead by more than an hour'
    : undefined
}

function logError(log: SweeperLog, error: ErrorOf<FullSotto['sweepExpired']>): void {
  log.warn({ error }, 'expired secrets could not be erased')
}
