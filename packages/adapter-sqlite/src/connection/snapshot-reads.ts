import type { StorageError } from '@sotto/core'
import type Sqlite from 'better-sqlite3'
import { err, ok, type Result } from 'neverthrow'
import { closed, isBusy, storageErrorOf } from './errors.ts'

export interface SnapshotReads {
  /** Resolves to what `query` returns; to a storage error when it throws. */
  read<T>(query: () => T): Promise<Result<T, StorageError>>
  /** Ends the snapshot of the reads so far: as long as it lasts, nothing is written and the write-ahead log cannot be emptied. */
  end(): void
  /** Runs the reads that wait, refuses all others, and closes the connection. */
  close(): void
}

/** How long a read may block the process until another one has recovered the log. Writes do not wait: see `GroupCommit`. */
const busyMillis = 100

interface Waiting {
  readonly query: () => unknown
  readonly resolve: (result: Result<unknown, StorageError>) => void
}

/**
 * Reads of one phase of the event loop share a snapshot, because to take one costs more than a short query: they wait until everything that
 * has arrived is received. Reads that follow them without another wait, once their promises have settled, run immediately in the same
 * snapshot. It ends before the process receives anything further and before any commit. So whoever began a request after a write was
 * answered finds that write, also when another process wrote it. A single read takes no transaction.
 */
export function createSnapshotReads(db: Sqlite.Database): SnapshotReads {
  const begin = db.prepare('BEGIN')
  const commit = db.prepare('COMMIT')
  let waiting: Waiting[] = []
  /** How many reads the snapshot has had; 0 while there is none. */
  let reads = 0
  let hasBegun = false
  /** The snapshot is over, but its transaction could not be ended. */
  let isOver = false
  let isOpen = true

  function end(): void {
    reads = 0
    isOver = hasBegun
    try {
      endTransaction()
    } catch {
      // The next read tries again, and its error is the answer.
    }
  }

  function endTransaction(): void {
    if (!isOver) return
    // An error of a read may have ended it.
    if (db.open && db.inTransaction) commit.run()
    hasBegun = isOver = false
  }

  /** @param isShared whether others are known to follow */
  function run<T>(query: () => T, isShared: boolean): Result<T, StorageError> {
    try {
      reads += 1
      endTransaction()
      if (!hasBegun && (isShared || reads > 1)) {
        begin.run()
        hasBegun = true
      }
      return ok(runPatiently(query))
    } catch (error) {
      return err(storageErrorOf(error))
    }
  }

  function runPatiently<T>(query: () => T): T {
    try {
      return query()
    } catch (error) {
      if (!isBusy(error)) throw error
    }
    db.pragma(`busy_timeout = ${busyMillis}`)
    try {
      return query()
    } finally {
      db.pragma('busy_timeout = 0')
    }
  }

  function runWaiting(): void {
    const batch = waiting
    waiting = []
    for (const { query, resolve } of batch) resolve(run(query, batch.length > 1))
    // A microtask, because what the event loop calls next is otherwise called before the promises settle.
    queueMicrotask(() => process.nextTick(end))
  }

  return {
    end,
    read(query) {
      if (!isOpen) return Promise.resolve(err(closed))
      if (reads > 0) return Promise.resolve(run(query, true))
      const { promise, resolve } = Promise.withResolvers<Result<ReturnType<typeof query>, StorageError>>()
      if (waiting.length === 0) setImmediate(runWaiting)
      waiting.push({ query, resolve: resolve as Waiting['resolve'] })
      return promise
    },
    close() {
      if (isOpen) runWaiting()
      isOpen = false
      end()
      db.close()
    },
  }
}
