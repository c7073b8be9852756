import { nilUuid, type Uuid } from '@sotto/core'
import type { FullSotto } from '@sotto/identity'
import type { Installation } from '../installation/installation.ts'
import { startRepeater } from '../shared/repeater.ts'
import { systemTimers, type Timers } from '../shared/timers.ts'

/** How many erased secrets wait for it at most. The sweep of every minute drops the files of all others. */
export const waitingMax = 1_000

/** How often it looks when nothing was erased. */
const idleMillis = 60_000

/** The part of a logger that a file sweeper uses. */
export interface FileSweeperLog {
  /** Writes one line. */
  warn(details: object, message: string): void
}

/** What a file sweeper needs. */
export interface FileSweeperOptions {
  /** Drops the files of one erased secret. */
  readonly sotto: Pick<FullSotto, 'sweepFiles'>
  /** Tells which secrets this process erases. */
  readonly watch: Installation['watch']
  /** The timers; those of the system by default. */
  readonly timers?: Timers
  /** Gets a line when files cannot be dropped. */
  readonly log: FileSweeperLog
}

/** A file sweeper that runs. */
export interface FileSweeper {
  /** Stops it; resolves when the file that it drops is dropped. */
  stop(): Promise<void>
}

/**
 * Drops the files of what this process erases right after that, one secret after the other: so what an owner deletes makes room at once. Every
 * process that serves runs one. What it cannot drop is left to the sweep of every minute.
 */
export function startFileSweeper({
  sotto,
  watch,
  timers = systemTimers,
  log,
}: FileSweeperOptions): FileSweeper {
  const waiting = new Set<Uuid>()
  let isStopped = false
  const step = async (): Promise<number> => {
    const [ofErased] = waiting
    if (ofErased === undefined) return idleMillis
    waiting.delete(ofErased)
    const swept = await sotto.sweepFiles({ ofErased, shouldStop: () => isStopped })
    if (swept.isErr()) log.warn({ error: swept.error }, 'files of what was deleted could not be dropped yet')
    return waiting.size > 0 ? 0 : idleMillis
  }
  const repeater = startRepeater({ step, timers })
  const unwatch = watch({
    erased(secretId) {
      if (waiting.size < waitingMax || secretId === nilUuid) waiting.add(secretId)
      repeater.wake()
    },
    queued: () => undefined,
    gaveUp: () => undefined,
    disabledWebhook: () => undefined,
  })
  return {
    async stop() {
      isStopped = true
      unwatch()
      await repeater.stop()
    },
  }
}
