import { setTimeout as sleep } from 'node:timers/promises'
import type { Meter, StorageError } from '@sotto/core'
import { err, ok, ResultAsync, type Result } from 'neverthrow'
import {
  brokenConstraint,
  busy,
  closed,
  isConflict,
  isConnectionLost,
  isStale,
  NotConnected,
  storageErrorOf,
} from './errors.ts'
import { begin, type Connection, type Isolation } from './connection.ts'
import type { Pool } from './pool.ts'
import type { Sql, Transaction } from './sql.ts'

/** What a store runs its statements on. No method throws or rejects; once closed, each answers `storage_unavailable`. */
export interface Database {
  /**
   * Runs statements that only read, each by itself. When the connection breaks they run again on another one.
   */
  read<T>(work: (sql: Sql) => Promise<T>): ResultAsync<T, StorageError>

  /**
   * Runs one statement that writes and is a transaction of its own, around which a pooler's connection gets BEGIN and COMMIT. It runs again
   * when the server asks for it, because of a conflict. An error that `work` returns is passed on. When the connection breaks, the answer is
   * `outcome_unknown`.
   * @param work sends exactly one statement; it may be called again
   */
  statement<T, E = never>(
    work: (sql: Sql) => Promise<Result<T, E>>,
    options?: WriteOptions<E>,
  ): ResultAsync<T, E | StorageError>

  /**
   * Runs a transaction: Ok commits it, Err rolls it back and is passed on. By default no other transaction of {@link Database.transaction}
   * can interleave with it (SERIALIZABLE). It runs again when the server asks for it, because of a conflict, until
   * {@link retryMillis} have passed.
   * @param work does nothing that a rollback does not undo; it may be called again
   */
  transaction<T, E = never>(
    work: (sql: Transaction) => Promise<Result<T, E>>,
    options?: WriteOptions<E> & { readonly isolation?: Isolation },
  ): ResultAsync<T, E | StorageError>

  /** Has the length of a queue of writes measured, together with those of the others. */
  readonly measureQueue?: ((length: () => number) => void) | undefined
}

export interface WriteOptions<E> {
  /**
   * When each of the writes that this one is made of was asked for, on the clock of `performance.now()`, for measurements. By default it is
   * one, asked for now.
   */
  readonly askedMillis?: readonly number[]

  /**
   * The error for a row that breaks the foreign key or unique index of this name, such as `secrets_folder_fkey`; `undefined` when it stands
   * for none.
   */
  readonly violation?: ((constraint: string) => E | undefined) | undefined

  /**
   * Whether a row that breaks the foreign key of this name can only be one that was written at the same time. Then the work runs again, as
   * after a conflict, and sees that row.
   */
  readonly isRace?: ((constraint: string) => boolean) | undefined
}

/** How long a transaction is tried again after conflicts. */
export const retryMillis = 5_000
/** The longest pause before the next try; the pauses begin with 2 ms, double, and are shortened by chance so that rivals part. */
const longestPauseMillis = 100

/** How transactions wait before they run again. */
interface Patience {
  /** A clock that only goes forward. */
  nowMillis(): number
  pause(millis: number): Promise<unknown>
}

const realPatience: Patience = { nowMillis: () => performance.now(), pause: (millis) => sleep(millis) }

/** The receiver of measurements of the transactions, and what they are called there. */
export interface Measuring {
  readonly meter?: Meter | undefined
  readonly part?: string | undefined
}

export function createDatabase(
  pool: Pool,
  { meter, part = 'data', ...patience }: Measuring & Partial<Patience> = {},
): Database & { close(): Promise<void> } {
  const { nowMillis, pause } = { ...realPatience, ...patience }
  const queues: (() => number)[] = []
  meter?.gauge('commit_queue_length', part, () => queues.reduce((sum, length) => sum + length(), 0))
  let isClosed = false

  /** Runs `work` until it ends without a conflict. */
  async function persist<T, E>(
    work: (connection: Connection) => Promise<Result<T, E>>,
    { violation, isRace, askedMillis = [nowMillis()] }: WriteOptions<E>,
  ): Promise<Result<T, E | StorageError>> {
    const endMillis = nowMillis() + retryMillis
    for (let pauseMillis = 2; ; pauseMillis = Math.min(2 * pauseMillis, longestPauseMillis)) {
      if (isClosed) return err(closed)
      try {
        const done = await pool.withConnection(work)
        if (done.isOk()) measure(askedMillis)
        return done
      } catch (error) {
        const constraint = brokenConstraint(error)
        const expected = constraint === undefined ? undefined : violation?.(constraint)
        if (expected !== undefined) return err(expected)
        const isToRunAgain =
          isConflict(error) || isStale(error) || (constraint !== undefined && isRace?.(constraint) === true)
        if (!isToRunAgain) return err(storageErrorOf(error, { wasWriting: true }))
        if (nowMillis() + pauseMillis >= endMillis)
          return err(constraint === undefined ? storageErrorOf(error, { wasWriting: false }) : busy)
        meter?.observe('commit_conflicts', part, 1)
        await pause(pauseMillis * Math.random())
      }
    }
  }

  function measure(askedMillis: readonly number[]): void {
    if (meter === undefined) return
    const committedMillis = nowMillis()
    meter.observe('commit_batch_writes', part, askedMillis.length)
    for (const millis of askedMillis)
      meter.observe('commit_wait_seconds', part, Math.max(0, committedMillis - millis) / 1_000)
  }

  async function readTwice<T>(work: (sql: Sql) => Promise<T>): Promise<Result<T, StorageError>> {
    for (let tries = 1; ; tries += 1) {
      if (isClosed) return err(closed)
      try {
        return ok(await pool.withConnection(work))
      } catch (error) {
        const mayHeal =
          isConflict(error) || isStale(error) || (isConnectionLost(error) && !(error instanceof NotConnected))
        if (tries === 2 || !mayHeal) return err(storageErrorOf(error, { wasWriting: false }))
      }
    }
  }

  return {
    read: (work) => new ResultAsync(readTwice(work)),

    statement: (work, options = {}) =>
      new ResultAsync(
        persist(
          (connection) =>
            connection.eachTransaction === undefined
              ? work(connection)
              : transact(connection, 'READ COMMITTED', work),
          options,
        ),
      ),

    transaction: (work, { isolation = 'SERIALIZABLE', ...options } = {}) =>
      new ResultAsync(persist((connection) => transact(connection, isolation, work), options)),

    measureQueue: (length) => void queues.push(length),

    async close() {
      if (isClosed) return
      isClosed = true
      await pool.close()
    },
  }
}

/** Runs `work` in a transaction on this connection. Throws what pg throws. */
export async function transact<T, E>(
  connection: Connection,
  isolation: Isolation,
  work: (sql: Transaction) => Promise<Result<T, E>>,
): Promise<Result<T, E>> {
  // Nothing is sent before this is answered: behind a BEGIN that failed each statement would be a transaction of its own.
  await begin(connection, isolation)
  const last: (() => Promise<unknown>)[] = []
  try {
    const sql: Transaction = {
      ...connection,
      atEnd: (send) => void last.push(send),
    }
    const result = await work(sql)
    if (result.isOk()) await commit(connection, last)
    else await connection.command('ROLLBACK')
    return result
  } catch (error) {
    // A connection that was lost is thrown away, which rolls back as well; a ROLLBACK would only wait for its answer. The same happens when
    // the ROLLBACK fails. The first error says why.
    if (!isConnectionLost(error)) await connection.command('ROLLBACK').catch(() => undefined)
    throw error
  }
}

async function commit(connection: Connection, last: readonly (() => Promise<unknown>)[]): Promise<void> {
  const sent: Promise<unknown>[] = []
  for (const send of [...last, () => connection.command('COMMIT')]) {
    const answered = send()
    sent.push(answered)
    if (!connection.isPipelined) await answered
  }
  const results = await Promise.allSettled(sent)
  const failed = results.find((result) => result.status === 'rejected')
  if (failed !== undefined) throw failed.reason
  // COMMIT rolls back after a failed statement, whose error `work` may have caught, and says so in its tag.
  if ((await sent.at(-1)) !== 'COMMIT') throw new Error('the transaction was rolled back')
}
