import type { Measured, OpenStorageOptions, StorageError } from '@sotto/core'
import type Sqlite from 'better-sqlite3'
import { err, errAsync, ResultAsync, type Result } from 'neverthrow'
import { busy, closed, isBusy, isFatal, migrated, moved, movedMeanwhile, storageErrorOf } from './errors.ts'
import type { Timers } from './timers.ts'
import { WriteTransaction, type Job, type RunJob } from './write-transaction.ts'

interface GroupCommitOptions extends Pick<OpenStorageOptions, 'onFatal'> {
  /** The one connection that writes. Its busy_timeout must be 0: waiting for a lock must not block the event loop. */
  readonly db: Sqlite.Database
  readonly timers: Timers
  /** The version of the tables (`PRAGMA user_version`) that the writes are made for. Any by default. */
  readonly version?: number
  /** Whether others find what is written: see `Place`. Asked before and after each transaction. They always do by default. */
  readonly isIntact?: () => boolean
  readonly bounds?: Partial<GroupCommitBounds>
  /** A transaction has the writes of so many turns of the event loop, 1 by default: an fsync costs more than a turn. */
  readonly turns?: number
  /** Receives how long writes have waited, and how many were committed together. */
  readonly report?: Report | undefined
}

/** Receives measurements of one file. */
export type Report = (what: Measured, value: number) => void

export interface GroupCommitBounds {
  /** How many writes may wait. One more is refused as `busy`. */
  readonly queueLength: number
  /** How many writes may share a transaction. */
  readonly batchLength: number
  /** The time after which a transaction takes no further write, so that other processes can write, too. */
  readonly transactionMillis: number
  /** How long a write waits while another connection holds the lock. */
  readonly lockWaitMillis: number
}

const defaultBounds: GroupCommitBounds = {
  queueLength: 10_000,
  batchLength: 512,
  transactionMillis: 10,
  lockWaitMillis: 2_000,
}

/** How long every write gets a savepoint after one has failed. */
const carefulMillis = 1_000

/** The lock is tried again after 1, 2, 4 … ms, up to this interval. */
const longestRetryMillis = 25

const noAnswer: Result<unknown, unknown> = err(busy)

interface Waiting {
  readonly job: Job
  readonly answer: (result: Result<unknown, unknown>) => void
  readonly sinceMillis: number
  /** The answer, once it is committed. */
  result: Result<unknown, unknown>
}

/**
 * Commits writes that arrive together in one transaction with one fsync: all that were queued within so many turns of the event loop, each
 * with its own answer.
 *
 * - Writes take effect in the order in which they were queued.
 * - No write is answered before COMMIT has returned. If it fails, every write in the transaction is answered with its error.
 * - A write that ends in Err, breaks a constraint or throws is undone alone; the others in the transaction take effect.
 * - An error that ends the whole transaction, as a full disk may, is the answer to every write in it: none took effect.
 * - A savepoint for each write costs as much as a small write itself, and hardly any write fails. So a transaction runs without savepoints
 *   first; when a write in it fails, all of it is rolled back and run again with savepoints.
 * - When another process has migrated the file to a later version, every write is refused from then on.
 * - While a file of the database is not at its place, every write is refused as `moved`. What was committed in the moment in which it
 *   was moved is `outcome_unknown`.
 * - While another process holds the lock nothing blocks; after {@link GroupCommitBounds.lockWaitMillis} the answer is `busy`.
 */
export class GroupCommit {
  readonly #transaction: WriteTransaction
  readonly #onFatal: OpenStorageOptions['onFatal']
  readonly #timers: Timers
  readonly #bounds: GroupCommitBounds
  readonly #report: Report | undefined
  readonly #queue: Waiting[] = []
  #awaitingTurn = false
  #retryMillis = 1
  #carefulUntilMillis = -Infinity
  /** The writes at the head of the queue have run without savepoints, and one of them failed. */
  #runsAgain = false
  /** The answer to every further write. */
  #finalError: StorageError | undefined
  #closing: Promise<void> | undefined
  #onDrained: () => void = () => undefined
  #isMigrated: () => boolean = () => false
  readonly #isIntact: () => boolean
  readonly #turns: number

  constructor({
    db,
    onFatal,
    timers,
    version,
    isIntact = () => true,
    turns = 1,
    bounds,
    report,
  }: GroupCommitOptions) {
    if (version !== undefined) {
      const ask = db.prepare<[], number>('PRAGMA user_version').pluck()
      this.#isMigrated = () => ask.get() !== version
    }
    this.#transaction = new WriteTransaction(db)
    this.#onFatal = onFatal
    this.#timers = timers
    this.#isIntact = isIntact
    this.#turns = turns
    this.#bounds = { ...defaultBounds, ...bounds }
    this.#report = report
  }

  /**
   * Queues a write. `job` runs synchronously, inside a transaction that no other writer can interleave with, so what it reads on the
   * writing connection is current. Its Err is passed on, and then it has changed nothing. When another write in the transaction fails,
   * everything that `job` did is rolled back and it runs again: it must do nothing that a rollback does not undo.
   */
  run<T, E = never>(job: () => Result<T, E>): ResultAsync<T, E | StorageError> {
    if (this.#finalError !== undefined) return errAsync(this.#finalError)
    if (this.#queue.length >= this.#bounds.queueLength) return errAsync(busy)
    const { promise, resolve } = Promise.withResolvers<Result<T, E | StorageError>>()
    const answer = resolve as Waiting['answer']
    this.#queue.push({ job, answer, sinceMillis: this.#timers.nowMillis(), result: noAnswer })
    this.#awaitTurn()
    return new ResultAsync(promise)
  }

  /** How many writes wait. */
  get queueLength(): number {
    return this.#queue.length
  }

  /** Commits what is queued and refuses further writes. Resolves when nothing waits any more. The connection stays open. */
  close(): Promise<void> {
    this.#finalError ??= closed
    this.#closing ??= new Promise((resolve) => (this.#onDrained = resolve))
    this.#awaitTurn()
    return this.#closing
  }

  #awaitTurn(): void {
    if (this.#awaitingTurn) return
    this.#awaitingTurn = true
    this.#wait(this.#turns)
  }

  #wait(turns: number): void {
    setImmediate(() => (turns > 1 ? this.#wait(turns - 1) : this.#takeTurn()))
  }

  #takeTurn(): void {
    this.#awaitingTurn = false
    if (this.#queue.length > 0) this.#flush()
    if (this.#queue.length === 0) this.#onDrained()
    else this.#awaitTurn()
  }

  #flush(): void {
    if (!this.#isIntact()) {
      this.#refuse(this.#queue.splice(0), moved)
      return
    }
    try {
      this.#transaction.begin()
    } catch (error) {
      if (isBusy(error)) this.#awaitLock()
      else this.#answerAll(this.#queue.splice(0), error)
      return
    }
    this.#retryMillis = 1
    if (this.#isMigrated()) this.#refuseForGood()
    else this.#commitBatch()
  }

  #refuseForGood(): void {
    this.#transaction.rollBack()
    this.#finalError = migrated
    this.#refuse(this.#queue.splice(0), migrated)
  }

  #refuse(writes: readonly Waiting[], error: StorageError): void {
    for (const { answer } of writes) answer(err(error))
  }

  /** Writes that have waited too long are answered with `busy`; the others stay in their order. */
  #awaitLock(): void {
    const deadlineMillis = this.#timers.nowMillis() - this.#bounds.lockWaitMillis
    const firstInTime = this.#queue.findIndex(({ sinceMillis }) => sinceMillis > deadlineMillis)
    const late = this.#queue.splice(0, firstInTime === -1 ? this.#queue.length : firstInTime)
    this.#refuse(late, busy)
    if (this.#queue.length === 0) return
    this.#awaitingTurn = true
    this.#timers.after(this.#retryMillis, () => this.#takeTurn(), { background: false })
    this.#retryMillis = Math.min(2 * this.#retryMillis, longestRetryMillis)
  }

  #commitBatch(): void {
    const batch: Waiting[] = []
    const careful = this.#runsAgain || this.#timers.nowMillis() < this.#carefulUntilMillis
    try {
      if (
        !this.#runJobs(batch, careful ? this.#transaction.runWithSavepoint : this.#transaction.runPlainly)
      ) {
        this.#carefulUntilMillis = this.#timers.nowMillis() + carefulMillis
        this.#runsAgain = true
        this.#transaction.rollBack()
        this.#flush()
        return
      }
      this.#transaction.commit()
    } catch (error) {
      this.#transaction.rollBack()
      this.#answerAll(this.#queue.splice(0, batch.length), error)
      return
    }
    this.#runsAgain = false
    this.#queue.splice(0, batch.length)
    if (!this.#isIntact()) {
      this.#refuse(batch, movedMeanwhile)
      return
    }
    if (this.#report !== undefined) this.#measure(batch, this.#report)
    for (const { answer, result } of batch) answer(result)
  }

  #measure(batch: readonly Waiting[], report: Report): void {
    const nowMillis = this.#timers.nowMillis()
    report('commit_batch_writes', batch.length)
    for (const { sinceMillis } of batch)
      report('commit_wait_seconds', Math.max(0, nowMillis - sinceMillis) / 1_000)
  }

  /**
   * Runs as many jobs as this transaction takes, and puts them into `batch`. False when one of them has failed and only a rollback can
   * undo it. Throws the error that ended the transaction.
   */
  #runJobs(batch: Waiting[], run: RunJob): boolean {
    const length = Math.min(this.#queue.length, this.#bounds.batchLength)
    const endMillis = this.#timers.nowMillis() + this.#bounds.transactionMillis
    for (const waiting of this.#queue.slice(0, length)) {
      if (batch.length > 0 && this.#timers.nowMillis() >= endMillis) break
      batch.push(waiting)
      const result = run(waiting.job)
      if (result === undefined) return false
      waiting.result = result
    }
    return true
  }

  #answerAll(batch: readonly Waiting[], error: unknown): void {
    const storageError = storageErrorOf(error)
    if (isFatal(error)) {
      this.#finalError = storageError
      this.#onFatal(error)
      batch = [...batch, ...this.#queue.splice(0)]
    }
    this.#refuse(batch, storageError)
  }
}
