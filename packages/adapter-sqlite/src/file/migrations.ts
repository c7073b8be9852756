import type Sqlite from 'better-sqlite3'

/** The tables of one kind of file, and the steps that make them. */
export interface Schema {
  /** Distinguishes this kind of file from every other SQLite file (`PRAGMA application_id`, bytes 68 to 71 of the file). */
  readonly applicationId: number
  /** The step at index n turns version n into version n + 1. Steps that were released never change. */
  readonly steps: readonly ((db: Sqlite.Database) => void)[]
}

/** What a file is: fresh, of a known or a newer version, or another program's. */
export type FileState =
  | { readonly kind: 'foreign' }
  /** A fresh file is of version 0. */
  | { readonly kind: 'fresh' | 'known' | 'newer'; readonly version: number }

/**
 * Finds out what a file is, without changing it. Throws what SQLite throws, for instance when it is no database at all.
 * All reads are in one transaction: another process may be creating the tables at the same time.
 */
export function stateOf(db: Sqlite.Database, schema: Schema): FileState {
  return db.transaction(() => readState(db, schema)).deferred()
}

function readState(db: Sqlite.Database, { applicationId, steps }: Schema): FileState {
  const version = db.pragma('user_version', { simple: true }) as number
  const application = db.pragma('application_id', { simple: true }) as number
  if (application === applicationId) return { kind: version > steps.length ? 'newer' : 'known', version }
  const tables = db.prepare('SELECT count(*) FROM sqlite_schema').pluck().get()
  return application === 0 && version === 0 && tables === 0 ? { kind: 'fresh', version } : { kind: 'foreign' }
}

/**
 * Brings a fresh or known file to the newest version, in one transaction. Checks the state again under the lock: another process may have
 * migrated it in the meantime. Throws what SQLite throws; then nothing is changed.
 */
export function migrate(db: Sqlite.Database, schema: Schema): void {
  if (isNewest(stateOf(db, schema), schema)) return
  db.transaction(() => {
    const state = stateOf(db, schema)
    if (state.kind === 'foreign' || state.kind === 'newer') throw new TypeError('not a file to migrate')
    for (const step of schema.steps.slice(state.version)) step(db)
    db.pragma(`application_id = ${schema.applicationId}`)
    db.pragma(`user_version = ${schema.steps.length}`)
  }).immediate()
}

function isNewest(state: FileState, { steps }: Schema): boolean {
  return state.kind === 'known' && state.version === steps.length
}
