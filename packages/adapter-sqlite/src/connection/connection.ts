import { closeSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import Sqlite from 'better-sqlite3'
import { syncPath, systemErrorCode } from '@sotto/system'

export interface ConnectionOptions {
  readonly path: string
  /** FULL: commits survive a power cut. NORMAL: they survive a crash of the process, and cost no fsync. */
  readonly synchronous: 'FULL' | 'NORMAL'
  /** How long a statement may block the whole process while another connection holds a lock. */
  readonly busyTimeoutMillis: number
  readonly readonly?: boolean
}

/** A pragma does not take effect, for instance WAL on a file system without shared memory. */
export class PragmaIneffective extends Error {
  override readonly name = 'PragmaIneffective'
}

/** The size of a page: SQLite's default, on which the layout of `long_notes` relies. */
export const pageSize = 4_096

const synchronousLevels = { NORMAL: 1, FULL: 2 } as const

/**
 * Creates the file and its directory, unless they exist, both accessible to their owner alone. What SQLite adds beside the file inherits
 * its mode. Throws what the file system says. As long as the file is empty, its name and those of the directories above it are synced: a
 * database that cannot be found after a power cut is lost. They are synced even when another process has created the file: it may be gone.
 * An existing file is not opened. A process that opens and closes a file loses all locks that it holds on that file, those of SQLite
 * included (POSIX advisory locks, https://www.sqlite.org/howtocorrupt.html, 2.2).
 */
export function makeFile(path: string): void {
  const directory = dirname(path)
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch (error) {
    if (systemErrorCode(error) !== 'EEXIST') throw error
  }
  if (statSync(path).size === 0) syncPath(directory)
}

/** Opens a connection to a file that exists, without changing anything in it. Throws what SQLite throws. */
export function connectRaw({
  path,
  busyTimeoutMillis,
  readonly = false,
}: ConnectionOptions): Sqlite.Database {
  return new Sqlite(path, { readonly, fileMustExist: true, timeout: busyTimeoutMillis })
}

/** Opens a connection and sets its pragmas. Throws what SQLite throws, and {@link PragmaIneffective}. */
export function connect(options: ConnectionOptions): Sqlite.Database {
  const db = connectRaw(options)
  try {
    setPragmas(db, options)
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

/** Sets every pragma and reads it back: SQLite ignores some without an error. Throws as {@link connect}. */
export function setPragmas(db: Sqlite.Database, options: ConnectionOptions): void {
  if (options.readonly !== true) {
    db.pragma(`page_size = ${pageSize}`)
    db.pragma('journal_mode = WAL')
  }
  const wanted = pragmasOf(options)
  for (const [name, value] of Object.entries(wanted))
    if (typeof value === 'number') db.pragma(`${name} = ${value}`)
  const actual = readPragmas(db, Object.keys(wanted))
  const ineffective = Object.keys(wanted).filter((name) => actual[name] !== wanted[name])
  if (ineffective.length > 0)
    throw new PragmaIneffective(ineffective.map((name) => `${name} is ${actual[name]}`).join(', '))
}

/** The values of these pragmas on this connection. */
export function readPragmas(
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
    // better-sqlite3 is built so that a database that is already in WAL mode is opened with NORMAL.
    synchronous: synchronousLevels[synchronous],
    // fsync may leave data in the drive's cache on macOS; these ask for more.
    fullfsync: 1,
    checkpoint_fullfsync: 1,
    busy_timeout: busyTimeoutMillis,
    foreign_keys: 1,
    secure_delete: 1,
    trusted_schema: 0,
    cell_size_check: 1,
    // Nothing of a transaction goes to a temporary file.
    temp_store: 2,
    // Pages. An idempotency key writes to a random page of its index. With four times as many as SQLite's default, most pages that many
    // commits have changed are copied into the database once. The log takes 16 MiB then.
    wal_autocheckpoint: 4_000,
  }
}
