import type Sqlite from 'better-sqlite3'

export interface SnapshotReads {
  /** Runs a query of the reading connection and returns what it returns. Throws what it throws. */
  run<T>(query: () => T): T
  /** Ends the snapshot of the reads so far: as long as it lasts, the write-ahead log cannot be emptied. */
  end(): void
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

  function end(): void {
    reads = 0
    try {
      endTransaction()
    } catch {
      // The next read tries again, and its error is the answer.
    }
  }

  function endTransaction(): void {
    if (reader.open && reader.inTransaction) commit.run()
  }

  return {
    end,
    run(query) {
      reads += 1
      if (reads === 1) {
        process.nextTick(end)
        endTransaction()
      }
      if (reads === 2) begin.run()
      return query()
    },
  }
}
