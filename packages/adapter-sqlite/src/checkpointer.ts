import { statSync } from 'node:fs'
import type Sqlite from 'better-sqlite3'
import { isFatal, storageErrorOf } from './errors.ts'
import type { Log, OnFatal } from './log.ts'
import { systemTimers, type Timer, type Timers } from './timers.ts'

/** So long after an erasure the log is emptied: many erasures share it. */
const settleMillis = 1_000
/** When somebody is in the way it is tried again after 50, 100, 200 … ms, and then every so many. */
const firstRetryMillis = 50
const longestRetryMillis = 2_000
/** Another process may have erased something, or a crash have left it: the log is looked at every so often. */
const lookEveryMillis = 20_000
/** What is not gone after so long is reported, and again every so often. */
const overdueMillis = 60_000

export interface CheckpointerOptions {
  /** A connection for nothing else. Its busy_timeout must be 0. */
  readonly db: Sqlite.Database
  readonly onFatal: OnFatal
  readonly log: Log
  readonly timers?: Timers
}

/**
 * Empties the write-ahead log after an erasure. Until then what was erased lives on in it: secure_delete overwrites pages, but the
 * log holds them as they were. Only a checkpoint that truncates the log ends that, and it needs a moment in which nobody reads or
 * writes. It is never made inside a request.
 */
export class Checkpointer {
  readonly #db: Sqlite.Database
  readonly #onFatal: OnFatal
  readonly #log: Log
  readonly #timers: Timers
  #pendingSince: number | undefined
  #reportedAt: number | undefined
  #retryMillis = firstRetryMillis
  #attempt: Timer | undefined
  #look: Timer

  constructor({ db, onFatal, log, timers = systemTimers }: CheckpointerOptions) {
    this.#db = db
    this.#onFatal = onFatal
    this.#log = log
    this.#timers = timers
    this.#look = this.#lookLater()
    if (this.#hasLog()) this.erased()
  }

  /** Something was erased, or will be by the transaction that is open. */
  erased(): void {
    this.#pendingSince ??= this.#timers.nowMillis()
    this.#attempt ??= this.#timers.after(settleMillis, () => this.#try(), { background: true })
  }

  /** For how many milliseconds something erased may have been living on in the log; `undefined` when nothing is. */
  pendingForMillis(): number | undefined {
    return this.#pendingSince === undefined ? undefined : this.#timers.nowMillis() - this.#pendingSince
  }

  /** Empties the log now. False when somebody is in the way; then it goes on trying by itself. */
  empty(): boolean {
    this.#attempt?.cancel()
    this.#attempt = undefined
    this.#pendingSince ??= this.#timers.nowMillis()
    return this.#try()
  }

  /** Empties the log a last time, as far as that is possible within a moment, and closes the connection. */
  async close(): Promise<void> {
    this.#look.cancel()
    for (let tries = 0; tries < 10 && this.#hasLog() && !this.empty(); tries += 1) await this.#moment()
    this.#attempt?.cancel()
    this.#db.close()
  }

  #try(): boolean {
    this.#attempt = undefined
    const obstacle = this.#obstacle()
    if (obstacle === undefined) {
      this.#pendingSince = this.#reportedAt = undefined
      this.#retryMillis = firstRetryMillis
      return true
    }
    this.#report(obstacle)
    this.#attempt = this.#timers.after(this.#retryMillis, () => this.#try(), { background: true })
    this.#retryMillis = Math.min(2 * this.#retryMillis, longestRetryMillis)
    return false
  }

  /** Makes the checkpoint, and says what was in the way of it. That somebody is, SQLite tells by a column, not by an error. */
  #obstacle(): string | undefined {
    try {
      const [row] = this.#db.pragma('wal_checkpoint(TRUNCATE)') as { readonly busy: number }[]
      return row?.busy === 0 ? undefined : 'another process or a reader'
    } catch (error) {
      if (isFatal(error)) this.#onFatal(error)
      const failure = storageErrorOf(error)
      return failure.code === 'storage_failed' ? failure.detail : failure.reason
    }
  }

  #report(obstacle: string): void {
    const nowMillis = this.#timers.nowMillis()
    const pendingMillis = this.pendingForMillis() ?? 0
    if (pendingMillis < overdueMillis || nowMillis - (this.#reportedAt ?? -Infinity) < overdueMillis) return
    this.#reportedAt = nowMillis
    const seconds = Math.round(pendingMillis / 1_000)
    this.#log('warn', 'what was erased is still in the write-ahead log', { obstacle, seconds })
  }

  #lookLater(): Timer {
    const look = (): void => {
      if (this.#hasLog()) this.erased()
      this.#look = this.#lookLater()
    }
    return this.#timers.after(lookEveryMillis, look, { background: true })
  }

  #hasLog(): boolean {
    return (statSync(`${this.#db.name}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0
  }

  #moment(): Promise<void> {
    return new Promise((resolve) => {
      this.#timers.after(firstRetryMillis, resolve, { background: false })
    })
  }
}
