import { statSync } from 'node:fs'
import type { OpenStorageOptions } from '@sotto/core'
import type Sqlite from 'better-sqlite3'
import type { CheckpointTurn } from './checkpoint-turn.ts'
import { isFatal, moved, reasonOfStorageError, storageErrorOf } from './errors.ts'
import type { Report } from './group-commit.ts'
import type { Timer, Timers } from './timers.ts'

/** How long after an erasure the log is emptied: many erasures share one checkpoint. */
const settleMillis = 1_000
/** A checkpoint that another connection blocks is tried again after 50, 100, 200 … ms, up to this interval. */
const firstRetryMillis = 50
const longestRetryMillis = 2_000
/** How often the log is looked at: another process may have erased something, or a crash may have left it. */
const lookEveryMillis = 20_000
/** The age at which erased data that is not gone is reported, and the interval after which it is reported again. */
const overdueMillis = 60_000

interface CheckpointerOptions extends Pick<OpenStorageOptions, 'onFatal' | 'log'> {
  /** A connection for nothing else. Its busy_timeout must be 0. */
  readonly db: Sqlite.Database
  readonly timers: Timers
  /** Whether what the log holds belongs into the file: see `Place`. Otherwise nothing is done. */
  readonly isOurs: () => boolean
  /** Receives how long each checkpoint has taken. */
  readonly report?: Report | undefined
  /** Ends what the process itself reads, which would block a checkpoint. */
  readonly endReads?: (() => void) | undefined
  /** Always this process by default. */
  readonly turn?: CheckpointTurn
  /** The name of the file for the turn. */
  readonly file?: string
}

/**
 * Empties the write-ahead log after an erasure. Until then erased data lives on in it: secure_delete overwrites pages, but the log holds
 * them as they were. Only a checkpoint that truncates the log removes them, and it needs a moment in which no other connection reads or
 * writes. It never runs inside a request.
 */
export class Checkpointer {
  readonly #db: Sqlite.Database
  readonly #onFatal: OpenStorageOptions['onFatal']
  readonly #log: OpenStorageOptions['log']
  readonly #timers: Timers
  readonly #isOurs: () => boolean
  readonly #report: Report | undefined
  readonly #endReads: (() => void) | undefined
  readonly #turn: CheckpointTurn | undefined
  readonly #file: string
  #pendingSince: number | undefined
  #reportedAt: number | undefined
  #retryMillis = firstRetryMillis
  #attempt: Timer | undefined
  #look: Timer

  constructor({ db, onFatal, log, timers, isOurs, report, endReads, turn, file = '' }: CheckpointerOptions) {
    this.#db = db
    this.#onFatal = onFatal
    this.#log = log
    this.#timers = timers
    this.#isOurs = isOurs
    this.#report = report
    this.#endReads = endReads
    this.#turn = turn
    this.#file = file
    turn?.onPassed(file, () => this.erased())
    this.#look = this.#lookLater()
    if (this.#hasLog()) this.erased()
  }

  /** Notes that something was erased, or will be by the transaction that is open. */
  erased(): void {
    // Another process may pass an erasure on when this file is closed.
    if (!this.#db.open) return
    if (this.#turn?.isMine() === false) {
      this.#turn.pass(this.#file)
      return
    }
    this.#pendingSince ??= this.#timers.nowMillis()
    this.#attempt ??= this.#timers.after(settleMillis, () => this.#try(), { background: true })
  }

  /** The milliseconds for which erased data may have been in the log; `undefined` when none is. */
  pendingForMillis(): number | undefined {
    return this.#pendingSince === undefined ? undefined : this.#timers.nowMillis() - this.#pendingSince
  }

  /** Empties the log now. False when another connection blocks it, which is tried again later, or after {@link close}. */
  empty(): boolean {
    if (!this.#db.open) return false
    this.#attempt?.cancel()
    this.#attempt = undefined
    this.#pendingSince ??= this.#timers.nowMillis()
    return this.#try()
  }

  /** Empties the log a last time, as far as that is possible within half a second, and closes the connection. May be called again. */
  async close(): Promise<void> {
    this.#look.cancel()
    for (let tries = 0; tries < 10 && this.#emptiedInVain(); tries += 1) await this.#pause()
    this.stop()
  }

  /** Tries to empty a log. True when that has to be tried again. */
  #emptiedInVain(): boolean {
    return this.#db.open && this.#isOurs() && this.#hasLog() && !this.empty()
  }

  /** Closes the connection immediately and leaves the log as it is. */
  stop(): void {
    this.#look.cancel()
    this.#attempt?.cancel()
    this.#db.close()
  }

  #try(): boolean {
    this.#attempt = undefined
    const sinceMillis = this.#timers.nowMillis()
    const obstacle = this.#checkpoint()
    this.#report?.('checkpoint_seconds', Math.max(0, this.#timers.nowMillis() - sinceMillis) / 1_000)
    if (obstacle === undefined) {
      this.#pendingSince = this.#reportedAt = undefined
      this.#retryMillis = firstRetryMillis
      return true
    }
    this.#warn(obstacle)
    this.#attempt = this.#timers.after(this.#retryMillis, () => this.#try(), { background: true })
    this.#retryMillis = Math.min(2 * this.#retryMillis, longestRetryMillis)
    return false
  }

  /** Returns what prevented the checkpoint; `undefined` when it was made. SQLite reports a lock in a column, not as an error. */
  #checkpoint(): string | undefined {
    if (!this.#isOurs()) return moved.detail
    this.#endReads?.()
    try {
      const [row] = this.#db.pragma('wal_checkpoint(TRUNCATE)') as { readonly busy: number }[]
      return row?.busy === 0 ? undefined : 'another process or a reader'
    } catch (error) {
      if (isFatal(error)) this.#onFatal(error)
      return reasonOfStorageError(storageErrorOf(error))
    }
  }

  #warn(obstacle: string): void {
    const nowMillis = this.#timers.nowMillis()
    const pendingMillis = this.pendingForMillis() ?? 0
    if (pendingMillis < overdueMillis || nowMillis - (this.#reportedAt ?? -Infinity) < overdueMillis) return
    this.#reportedAt = nowMillis
    const seconds = Math.round(pendingMillis / 1_000)
    this.#log('warn', 'erased data is still in the write-ahead log', { obstacle, seconds })
  }

  #lookLater(): Timer {
    const look = (): void => {
      if (this.#turn?.isMine() !== false && this.#hasLog()) this.erased()
      this.#look = this.#lookLater()
    }
    return this.#timers.after(lookEveryMillis, look, { background: true })
  }

  /** Whether there may be something in the log: also when the directory cannot be read any more. The open file can still be emptied then. */
  #hasLog(): boolean {
    try {
      return logBytes(this.#db.name) > 0
    } catch {
      return true
    }
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => {
      this.#timers.after(firstRetryMillis, resolve, { background: false })
    })
  }
}

/** The size of the write-ahead log of a file; 0 when it has none. Throws when its directory cannot be read. */
export function logBytes(path: string): number {
  return statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0
}
