import { createRequire } from 'node:module'

/** As much of better-sqlite3 as tests need who look into a database past its adapter. */
export interface RawDatabase {
  prepare(sql: string): RawStatement
  exec(sql: string): unknown
  pragma(pragma: string, options?: { readonly simple: true }): unknown
  close(): void
}

export interface RawStatement {
  get(...parameters: readonly unknown[]): unknown
  all(...parameters: readonly unknown[]): readonly unknown[]
  run(...parameters: readonly unknown[]): { readonly changes: number }
}

type Constructor = new (path: string, options?: { readonly readonly: boolean }) => RawDatabase

/** The adapter's own copy: two copies in one process would not see each other's locks. */
const adapter = new URL('../../../../adapter-sqlite/src/index.ts', import.meta.url)
const Sqlite = createRequire(adapter)('better-sqlite3') as Constructor

export function openRaw(path: string): RawDatabase {
  return new Sqlite(path)
}

/** Does something with a file and closes it. */
export function withRaw<T>(path: string, work: (db: RawDatabase) => T): T {
  const db = openRaw(path)
  try {
    return work(db)
  } finally {
    db.close()
  }
}

/** The first row of what a query finds, as the caller knows it. */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- what SQL gives is known to whoever wrote it
export function rowIn<Row = Record<string, unknown>>(
  path: string,
  sql: string,
  ...parameters: readonly unknown[]
): Row {
  return withRaw(path, (db) => db.prepare(sql).get(...parameters)) as Row
}

/** All rows of what a query finds, likewise. */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- see above
export function rowsIn<Row = Record<string, unknown>>(path: string, sql: string): readonly Row[] {
  return withRaw(path, (db) => db.prepare(sql).all()) as readonly Row[]
}

/** What a pragma says of a file. */
export function pragmaIn(path: string, pragma: string): unknown {
  return withRaw(path, (db) => db.pragma(pragma, { simple: true }))
}
