import type Sqlite from 'better-sqlite3'

/** The tables of one kind of file, and how they came to be. */
export interface Schema {
  /** Tells this kind of file from every other SQLite file (`PRAGMA application_id`, bytes 68 to 71 of the file). */
  readonly applicationId: number
  /** The step at index n makes version n + 1 out of version n. Steps that were released never change. */
  readonly steps: readonly ((db: Sqlite.Database) => void)[]
}

/** What a file is: fresh, of a known version, or none of ours to touch. */
export type Standing =
  | { readonly kind: 'foreign' }
  /** A fresh file is of version 0. */
  | { readonly kind: 'fresh' | 'known' | 'newer'; readonly version: number }

/**
 * Tells what a file is without changing it. Throws what SQLite throws, for instance when it is no database at all.
 * One transaction for all it reads: another process may be making the tables at this moment.
 */
export function standingOf(db: Sqlite.Database, schema: Schema): Standing {
  return db.transaction(() => judge(db, schema)).deferred()
}

function judge(db: Sqlite.Database, { applicationId, steps }: Schema): Standing {
  const version = db.pragma('user_version', { simple: true }) as number
  const application = db.pragma('application_id', { simple: true }) as number
  if (application === applicationId) return { kind: version > steps.length ? 'newer' : 'known', version }
  const tables = db.prepare('SELECT count(*) FROM sqlite_schema').pluck().get()
  return application === 0 && version === 0 && tables === 0 ? { kind: 'fresh', version } : { kind: 'foreign' }
}

/**
 * Brings a fresh or known file to the newest version, in one transaction. Looks again once it holds the lock: another process may
 * have done it. Throws what SQLite throws; then nothing is changed.
 */
export function migrate(db: Sqlite.Database, schema: Schema): void {
  if (isNewest(standingOf(db, schema), schema)) return
  db.transaction(() => {
    const standing = standingOf(db, schema)
    if (standing.kind === 'foreign' || standing.kind === 'newer') throw new TypeError('not a file to migrate')
    for (const step of schema.steps.slice(standing.version)) step(db)
    db.pragma(`application_id = ${schema.applicationId}`)
    db.pragma(`user_version = ${schema.steps.length}`)
  }).immediate()
}

function isNewest(standing: Standing, { steps }: Schema): boolean {
  return standing.kind === 'known' && standing.version === steps.length
}
