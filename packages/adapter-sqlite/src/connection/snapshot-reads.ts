import type Sqlite from 'better-sqlite3'

export interface SnapshotReads {
  /** Runs a query of the reading connection and returns what it returns. Throws what it throws. */
  run<T>(query: () => T): T
  /** Ends the snapshot of the reads so far: as long as it lasts, the write-ahead log cannot be emptied. */
  end(): void
  /** Whether {@link close} has not been called. Cheaper than to ask the connection. */
  readonly isOpen: boolean
  /** Closes the connection. */
  close(): void
}

/**
 * Reads that follow each other without a wait share one snapshot: to take a snapshot costs as much as a short query. A snapshot ends before
 * the process receives anything further and before any commit. So whoever began a request after a write was answered finds that write, also
 * when another process wrote it.
 *
 * Node.js runs a callback of the event loop, then all promises that it has settled, and then what `process.nextTick` was given by them:
 * there the snapshot ends. Many requests share it when they wait for the same thing, such as a commit. The first read takes no transaction,
 * because most often it is the only one.
 */
export function createSnapshotReads(reader: Sqlite.Database): SnapshotReads {
  const begin = reader.prepare('BEGIN')
  const commit = reader.prepare('COMMIT')
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
    if (reader.open && reader.inTransaction) commit.run()
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

  return {
    end,
    run(query) {
      join()
      return query()
    },
    get isOpen() {
      return isOpen
    },
    close() {
      isOpen = false
      reader.close()
    },
  }
}
