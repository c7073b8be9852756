import { closeSync, mkdirSync, openSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import Sqlite from 'better-sqlite3'
import { syncPath } from './sync-path.ts'

export interface ConnectionOptions {
  readonly path: string
  /** FULL: what is committed survives a power cut. NORMAL: it survives a crash of the process, and no fsync is spent on it. */
  readonly synchronous: 'FULL' | 'NORMAL'
  /** How long a statement blocks the whole process for a lock that somebody else holds. */
  readonly busyTimeoutMillis: number
  readonly readonly?: boolean
}

/** A pragma that cannot be brought into force, for instance WAL on a file system without shared memory. */
export class PragmaNotInForce extends Error {
  override readonly name = 'PragmaNotInForce'
}

/** SQLite's default; the layout of the notes' rows relies on it. */
export const pageSize = 4_096

const synchronousLevels = { NORMAL: 1, FULL: 2 } as const

/**
 * Makes the directory (for its owner alone), and the file in it (likewise) unless they are there. What SQLite adds beside the file
 * inherits its mode. Ok with the file's path; throws what the file system says. As long as nothing is in the file, the way to it is
 * made safe from a power cut: a database that cannot be found is lost. (Also when another process has made it: that one may be gone.)
 *
 * A file that is there is not touched: whoever opens and closes a file loses all locks that his process holds on it, those of SQLite
 * included (POSIX advisory locks, https://www.sqlite.org/howtocorrupt.html, 2.2).
 */
export function makeFile(dataDir: string, name: string): string {
  const directory = resolve(dataDir)
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const path = join(directory, name)
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
  if (statSync(path).size === 0) syncPath(directory)
  return path
}

/** Opens a connection to a file that exists, without changing anything in it. Throws what SQLite throws. */
export function connectRaw({
  path,
  busyTimeoutMillis,
  readonly = false,
}: ConnectionOptions): Sqlite.Database {
  return new Sqlite(path, { readonly, fileMustExist: true, timeout: busyTimeoutMillis })
}

/** Opens a connection whose pragmas are in force. Throws what SQLite throws, and {@link PragmaNotInForce}. */
export function connect(options: ConnectionOptions): Sqlite.Database {
  const db = connectRaw(options)
  try {
    bringIntoForce(db, options)
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

/** Sets every pragma and reads it back: a setting is not a fact. Throws as {@link connect}. */
export function bringIntoForce(db: Sqlite.Database, options: ConnectionOptions): void {
  if (options.readonly !== true) {
    db.pragma(`page_size = ${pageSize}`)
    db.pragma('journal_mode = WAL')
  }
  const wanted = pragmasOf(options)
  for (const [name, value] of Object.entries(wanted))
    if (typeof value === 'number') db.pragma(`${name} = ${value}`)
  const inForce = pragmasInForce(db, Object.keys(wanted))
  const failed = Object.keys(wanted).filter((name) => inForce[name] !== wanted[name])
  if (failed.length > 0)
    throw new PragmaNotInForce(failed.map((name) => `${name} is ${inForce[name]}`).join(', '))
}

/** What SQLite says of these pragmas on this connection. */
export function pragmasInForce(
  db: Sqlite.Database,
  names: readonly string[],
): Readonly<Record<string, string | number>> {
  return Object.fromEntries(names.map((name) => [name, db.pragma(name, { simple: true }) as string | number]))
}

function pragmasOf({
  synchronous,
  busyTimeoutMillis,
}: ConnectionOptions): Readonly<Record<string, string | number>> {
  return {
    journal_mode: 'wal',
    page_size: pageSize,
    // better-sqlite3 is built so that a database that is in WAL mode already is opened with NORMAL.
    synchronous: synchronousLevels[synchronous],
    // Where fsync leaves data in the drive's cache (macOS), ask for more than fsync.
    fullfsync: 1,
    checkpoint_fullfsync: 1,
    busy_timeout: busyTimeoutMillis,
    foreign_keys: 1,
    secure_delete: 1,
    trusted_schema: 0,
    cell_size_check: 1,
    // Nothing of a transaction goes to a temporary file.
    temp_store: 2,
    wal_autocheckpoint: 1_000,
  }
}
