import type Sqlite from 'better-sqlite3'
import { err, type Result } from 'neverthrow'
import { isFatal, storageErrorOf } from './errors.ts'

/** A write. It runs synchronously. */
export type Job = () => Result<unknown, unknown>

/** Runs a job. The answer is `undefined` when it has failed and only a rollback of the whole transaction undoes it. */
export type RunJob = (job: Job) => Result<unknown, unknown> | undefined

/** The one transaction of a writing connection, in which several jobs run one after the other. */
export class WriteTransaction {
  readonly #db: Sqlite.Database
  readonly #sql: Readonly<
    Record<'begin' | 'commit' | 'rollback' | 'savepoint' | 'undo' | 'release', Sqlite.Statement>
  >

  constructor(db: Sqlite.Database) {
    this.#db = db
    this.#sql = {
      begin: db.prepare('BEGIN IMMEDIATE'),
      commit: db.prepare('COMMIT'),
      rollback: db.prepare('ROLLBACK'),
      savepoint: db.prepare('SAVEPOINT job'),
      undo: db.prepare('ROLLBACK TO job'),
      release: db.prepare('RELEASE job'),
    }
  }

  /** @throws SQLITE_BUSY immediately while another connection holds the lock */
  begin(): void {
    this.#sql.begin.run()
  }

  /** @throws the error of the disk */
  commit(): void {
    this.#sql.commit.run()
  }

  rollBack(): void {
    try {
      if (this.#db.inTransaction) this.#sql.rollback.run()
    } catch {
      // The next BEGIN fails, too, and its error is the answer.
    }
  }

  /**
   * Runs a job without a savepoint.
   *
   * @throws the error that has ended the transaction
   */
  readonly runPlainly: RunJob = (job) => {
    let result: Result<unknown, unknown>
    try {
      result = job()
    } catch (error) {
      if (!this.#db.inTransaction || isFatal(error)) throw error
      return undefined
    }
    // A job may have caught the error that ended the transaction. Without one, the next job would commit by itself.
    if (!this.#db.inTransaction) throw new Error('the transaction was ended by a job')
    return result.isOk() ? result : undefined
  }

  /**
   * Runs a job that is undone alone when it fails.
   *
   * @throws the error that has ended the transaction
   */
  readonly runWithSavepoint: RunJob = (job) => {
    this.#sql.savepoint.run()
    let result: Result<unknown, unknown>
    try {
      result = job()
    } catch (error) {
      if (!this.#db.inTransaction || isFatal(error)) throw error
      result = err(storageErrorOf(error))
    }
    // Both fail when the transaction has ended: a job may have caught the error that ended it.
    if (result.isErr()) this.#sql.undo.run()
    this.#sql.release.run()
    return result
  }
}
