import type Sqlite from 'better-sqlite3'
import { isBusy } from './errors.ts'

export interface SnapshotReads {
  /** Runs a query of the connection and returns what it returns. Throws what it throws. */
  run<T>(query: () => T): T
  /** Ends the snapshot of the reads so far: as long as it lasts, nothing is written and the write-ahead log cannot be emptied. */
  end(): void
  /** Whether {@link close} has not been called. Cheaper than to ask the connection. */
  readonly isOpen: boolean
  /** Refuses further reads, and closes the connection. */
  close(): void
}

/** How long a read may block the process until another one has recovered the log. Writes do not wait: see `GroupCommit`. */
const busyMillis = 100

/**
 * Reads that follow each other without a wait share one snapshot: to take a snapshot costs as much as a short query. A snapshot ends before
 * the process receives anything further and before any commit. So whoever began a request after a write was answered finds that write, also
 * when another process wrote it.
 *
 * Node.js runs a callback of the event loop, then all promises that it has settled, and then what `process.nextTick` was given by them:
 * there the snapshot ends. Many requests share it when they wait for the same thing, such as a commit. The first read takes no transaction,
 * because most often it is the only one.
 */
export function createSnapshotReads(db: Sqlite.Database): SnapshotReads {
  const begin = db.prepare('BEGIN')
  const commit = db.prepare('COMMIT')
  let reads = 0
  let hasBegun = false
  let isOpen = true

  function end(): void {
    reads = 0
    try {
      endTransaction()
    } catch {
      // The next read tries again, and its error is the answer.
    }
  }

  function endTransaction(): void {
    if (!hasBegun) return
    // An error of a read may have ended it.
    if (db.open && db.inTransaction) commit.run()
    hasBegun = false
  }

  function join(): void {
    reads += 1
    if (reads === 1) {
      process.nextTick(end)
      endTransaction()
    } else if (reads === 2) {
      begin.run()
      hasBegun = true
    }
  }

  function runPatiently<T>(query: () => T): T {
    db.pragma(`busy_timeout = ${busyMillis}`)
    try {
      return query()
    } finally {
      db.pragma('busy_timeout = 0')
    }
  }

  return {
    end,
    run(query) {
      join()
      try {
        return query()
      } catch (error) {
        if (!isBusy(error)) throw error
        return runPatiently(query)
      }
    },
    get isOpen() {
      return isOpen
    },
    close() {
      isOpen = false
      db.close()
    },
  }
}
