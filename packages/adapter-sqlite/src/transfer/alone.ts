import type Sqlite from 'better-sqlite3'
import { connectRaw, setPragmas } from '../connection/connection.ts'
import { isBusy } from '../connection/errors.ts'

/**
 * Opens a file for this process alone, until it is closed or the process ends; `undefined` when another connection has it open. See
 * `migrateAlone`.
 * @throws what SQLite throws
 */
export function connectAlone(path: string): Sqlite.Database | undefined {
  const options = { path, synchronous: 'FULL', busyTimeoutMillis: 250 } as const
  const db = connectRaw(options)
  try {
    db.pragma('locking_mode = EXCLUSIVE')
    setPragmas(db, options)
    // Reading takes the lock where the file was in WAL mode already.
    db.prepare('SELECT count(*) FROM sqlite_schema').get()
    return db
  } catch (error) {
    db.close()
    if (isBusy(error)) return undefined
    throw error
  }
}
