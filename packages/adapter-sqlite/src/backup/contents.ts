import type { Contents } from '@sotto/core'
import { keyedTables } from '@sotto/storage-sql'
import type Sqlite from 'better-sqlite3'

/** How much a file holds, but for the contents of files. What has expired is decided at `nowMicros`. */
export function contentsOf(db: Sqlite.Database, nowMicros: number): Omit<Contents, 'files' | 'fileBytes'> {
  const count = (from: string, ...parameters: readonly number[]): number =>
    db
      .prepare<number[], number>(`SELECT count(*) FROM ${from}`)
      .pluck()
      .get(...parameters) ?? 0
  return {
    accounts: count('accounts WHERE name_index IS NOT NULL'),
    folders: count('folders'),
    drafts: count('secrets WHERE expires_at IS NULL'),
    secrets: count('secrets WHERE expires_at > ?', nowMicros),
    expiredSecrets: count('secrets WHERE expires_at <= ?', nowMicros),
    accessTokens: usableTokens(db, nowMicros).length,
    kids: kidsIn(db),
  }
}

/** The kids of all keys that a row is under, ascending. A file of an earlier version lacks tables, or their column. */
export function kidsIn(db: Sqlite.Database): readonly number[] {
  const isKeyed = db.prepare<[string]>("SELECT 1 FROM pragma_table_info(?) WHERE name = 'kid'")
  const kids = keyedTables
    .filter((table) => isKeyed.get(table) !== undefined)
    .map((table) => `SELECT kid FROM ${table} WHERE kid IS NOT NULL`)
  return db
    .prepare<[], number>(`${kids.join(' UNION ')} ORDER BY 1`)
    .pluck()
    .all()
}

/** The rowids of the access tokens that are accepted at `nowMicros`. */
export function usableTokens(db: Sqlite.Database, nowMicros: number): readonly number[] {
  return db
    .prepare<[number], number>(
      'SELECT rowid FROM access_tokens WHERE revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)',
    )
    .pluck()
    .all(nowMicros)
}

/** The number of rows of every table, by which a copy is compared with its source. */
export function rowCounts(db: Sqlite.Database): string {
  const tables = db
    .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    .pluck()
    .all()
  return tables
    .map((table) => `${table} ${db.prepare<[], number>(`SELECT count(*) FROM "${table}"`).pluck().get()}`)
    .join(', ')
}
