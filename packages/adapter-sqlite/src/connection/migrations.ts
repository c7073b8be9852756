import type Sqlite from 'better-sqlite3'
import { connectRaw, setPragmas, type ConnectionOptions } from './connection.ts'
import { FileCorrupted, isBusy } from './errors.ts'

/** The tables of one kind of file. */
export interface Schema {
  /** Distinguishes this kind of file from every other SQLite file (`PRAGMA application_id`, bytes 68 to 71 of the file). */
  readonly applicationId: number
  /** Creates the tables of the newest version in a fresh file. */
  readonly create: (db: Sqlite.Database) => void
  /**
   * The step at index n turns version n + 1 into version n + 2, the last of them into the newest. A step never changes, not even before it is
   * released: some file has its number by then. Another change of the tables is another step. See {@link migrate} and {@link migrateAlone}.
   */
  readonly steps: readonly ((db: Sqlite.Database) => void)[]
}

/** The version of the tables that this program makes. */
export function newestVersion({ steps }: Pick<Schema, 'steps'>): number {
  return steps.length + 1
}

/** What a file is: fresh, of a known or a newer version, one side of a move, or another program's. */
export type FileState =
  | { readonly kind: 'foreign' }
  /** `to` is where its rows have been moved to; `undefined` for a copy that is not finished. */
  | { readonly kind: 'moving'; readonly version: number; readonly to: string | undefined }
  /** A fresh file is of version 0. */
  | { readonly kind: 'fresh' | 'known' | 'newer'; readonly version: number }

/**
 * The `application_id` of a file that nobody may use, because rows are being copied to it or have been copied from it. Versions of this
 * program without moves call it foreign.
 */
export const movingApplicationId = 0x536f746d // "Sotm"

/** The table in such a file that says where its rows have been moved to; NULL in a copy that is not finished. */
export const movingTable = 'CREATE TABLE move (one INTEGER PRIMARY KEY CHECK (one = 1), moved_to TEXT) STRICT'

/**
 * Finds out what a file is, without changing it. Throws what SQLite throws, for instance when it is no database at all.
 * All reads are in one transaction: another process may be creating the tables at the same time.
 */
export function stateOf(db: Sqlite.Database, schema: Schema): FileState {
  return db.transaction(() => readState(db, schema)).deferred()
}

function readState(db: Sqlite.Database, schema: Schema): FileState {
  const { applicationId } = schema
  const version = db.pragma('user_version', { simple: true }) as number
  const application = db.pragma('application_id', { simple: true }) as number
  if (application === applicationId)
    return { kind: version > newestVersion(schema) ? 'newer' : 'known', version }
  if (application === movingApplicationId) {
    const to = db.prepare<[], string | null>('SELECT moved_to FROM move').pluck().get()
    return { kind: 'moving', version, to: to ?? undefined }
  }
  const tables = db.prepare('SELECT count(*) FROM sqlite_schema').pluck().get()
  return application === 0 && version === 0 && tables === 0 ? { kind: 'fresh', version } : { kind: 'foreign' }
}

/**
 * Brings a fresh or known file to the newest version, in one transaction. Checks the state again under the lock: another process may have
 * migrated it in the meantime. Throws what SQLite throws, and {@link FileCorrupted} when rows refer to none; then nothing is changed.
 *
 * The steps run without foreign keys: a step that rebuilds a table drops the old one, which would delete all rows that refer to it
 * (https://www.sqlite.org/lang_altertable.html#otheralter). So all references are checked before the commit. Inside a transaction the
 * pragma has no effect, so it is set before.
 */
export function migrate(db: Sqlite.Database, schema: Schema): void {
  if (isNewest(stateOf(db, schema), schema)) return
  const before = db.pragma('foreign_keys', { simple: true }) as number
  db.pragma('foreign_keys = OFF')
  try {
    db.transaction(() => takeSteps(db, schema)).immediate()
  } finally {
    db.pragma(`foreign_keys = ${before}`)
  }
}

/** Takes the steps that are missing, inside a transaction. */
export function takeSteps(db: Sqlite.Database, schema: Schema): void {
  const state = stateOf(db, schema)
  if (state.kind !== 'fresh' && state.kind !== 'known') throw new TypeError('not a file to migrate')
  if (state.kind === 'fresh') schema.create(db)
  else for (const step of schema.steps.slice(state.version - 1)) step(db)
  const orphans = db.pragma('foreign_key_check') as { readonly table: string; readonly parent: string }[]
  if (orphans[0] !== undefined)
    throw new FileCorrupted(`a row of ${orphans[0].table} refers to none of ${orphans[0].parent}`)
  db.pragma(`application_id = ${schema.applicationId}`)
  db.pragma(`user_version = ${newestVersion(schema)}`)
}

/**
 * Migrates a file that may be in use. False when another connection has it open: a process of an earlier version would go on reading and
 * writing tables of a later one. With this locking mode SQLite opens a file in WAL mode only when nobody else has it open. It keeps
 * everybody else out until the connection is closed (https://www.sqlite.org/pragma.html#pragma_locking_mode).
 */
export function migrateAlone(connection: ConnectionOptions, schema: Schema): boolean {
  const db = connectRaw(connection)
  try {
    db.pragma('locking_mode = EXCLUSIVE')
    setPragmas(db, connection)
    migrate(db, schema)
    return true
  } catch (error) {
    if (isBusy(error)) return false
    throw error
  } finally {
    db.close()
  }
}

/** Whether the file was made by an earlier version. */
export function isOlder(state: FileState, schema: Schema): state is Extract<FileState, { version: number }> {
  return state.kind === 'known' && state.version < newestVersion(schema)
}

function isNewest(state: FileState, schema: Schema): boolean {
  return state.kind === 'known' && state.version === newestVersion(schema)
}
