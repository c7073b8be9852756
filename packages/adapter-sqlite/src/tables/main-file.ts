import type { StorageOpenError } from '@sotto/core'
import type Sqlite from 'better-sqlite3'
import { unreleasedTablesIn } from './unreleased.ts'

/** The main file: everything but the counters of the quota. */
export const databaseName = 'sotto.sqlite'

/**
 * Why a file of a known version is not used; `undefined` when nothing is in the way. Tables that differ from those of their version are not
 * touched. Nor is a backup that was copied into the place of the database: only a restore makes a database of it, because opens were spent and
 * tokens revoked since.
 */
export function refusalOf(db: Sqlite.Database, location: string): StorageOpenError | undefined {
  const unreleased = unreleasedTablesIn(db)
  if (unreleased !== undefined) return { code: 'database_unreleased', location, ...unreleased }
  const isBackup = db.prepare('SELECT backed_up_at IS NOT NULL FROM meta').pluck().get() === 1
  return isBackup ? { code: 'database_is_backup', location } : undefined
}
