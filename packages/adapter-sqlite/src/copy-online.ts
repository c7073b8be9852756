import type Sqlite from 'better-sqlite3'
import { pageSize } from './connection.ts'

export interface CopyProgress {
  readonly copiedBytes: number
  readonly totalBytes: number
}

/** Pages that are copied before others get their turn: 4 MiB. */
const pagesAtOnce = 1_024

/**
 * Copies a database into an empty file by SQLite's online backup (https://www.sqlite.org/backup.html). Within a transaction of `source`
 * the copy is what that transaction sees; without one it would begin anew whenever another process writes. Rejects with what SQLite
 * throws.
 */
export async function copyOnline(
  source: Sqlite.Database,
  path: string,
  onProgress: (progress: CopyProgress) => void = () => undefined,
): Promise<void> {
  await source.backup(path, {
    progress({ totalPages, remainingPages }) {
      const totalBytes = totalPages * pageSize
      onProgress({ copiedBytes: totalBytes - remainingPages * pageSize, totalBytes })
      return pagesAtOnce
    },
  })
}
