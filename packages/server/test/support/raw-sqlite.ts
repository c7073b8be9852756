import { createRequire } from 'node:module'

/** The part of better-sqlite3 that tests use to look into a database without its adapter. */
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
const adapter = new URL('../../../adapter-sqlite/src/index.ts', import.meta.url)
const Sqlite = createRequire(adapter)('better-sqlite3') as Constructor

export function openRaw(path: string): RawDatabase {
  return new Sqlite(path)
}

/** Opens a file, runs `work` with it and closes it. */
export function withRaw<T>(path: string, work: (db: RawDatabase) => T): T {
  const db = openRaw(path)
  try {
    return work(db)
  } finally {
    db.close()
  }
}

/** The first row that a query finds, of the type that the caller states. */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- the caller knows what its SQL gives
export function rowIn<Row = Record<string, unknown>>(
  path: string,
  sql: string,
  ...parameters: readonly unknown[]
): Row {
  return withRaw(path, (db) => db.prepare(sql).get(...parameters)) as Row
}

/** All rows that a query finds. */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- the caller knows what its SQL gives
export function rowsIn<Row = Record<string, unknown>>(path: string, sql: string): readonly Row[] {
  return withRaw(path, (db) => db.prepare(sql).all()) as readonly Row[]
}

/** The value of a pragma. */
export function pragmaIn(path: string, pragma: string): unknown {
  return withRaw(path, (db) => db.pragma(pragma, { simple: true }))
}
