import type Sqlite from 'better-sqlite3'

/** What is in a file, in numbers. */
export interface Contents {
  readonly accounts: number
  readonly folders: number
  readonly drafts: number
  /** Shareable secrets that have not expired, those included whose note is destroyed. */
  readonly secrets: number
  /** Shareable secrets that have expired and are not erased yet. */
  readonly expiredSecrets: number
  /** Access tokens that are accepted. */
  readonly accessTokens: number
  /** The keys that are needed to read it, ascending. */
  readonly kids: readonly number[]
}

const tablesWithKey = ['accounts', 'folders', 'access_tokens', 'secrets']

/** @param nowMicros the moment by which it is judged what has expired */
export function contentsOf(db: Sqlite.Database, nowMicros: number): Contents {
  const count = (from: string, ...parameters: readonly number[]): number =>
    db
      .prepare<number[], number>(`SELECT count(*) FROM ${from}`)
      .pluck()
      .get(...parameters) ?? 0
  return {
    accounts: count('accounts'),
    folders: count('folders'),
    drafts: count('secrets WHERE expires_at IS NULL'),
    secrets: count('secrets WHERE expires_at > ?', nowMicros),
    expiredSecrets: count('secrets WHERE expires_at <= ?', nowMicros),
    accessTokens: count(
      'access_tokens WHERE revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)',
      nowMicros,
    ),
    kids: db
      .prepare<[], number>(
        tablesWithKey.map((table) => `SELECT kid FROM ${table}`).join(' UNION ') + ' ORDER BY 1',
      )
      .pluck()
      .all(),
  }
}

/** The number of rows of every table, by which a copy is held against what it was made of. */
export function rowCounts(db: Sqlite.Database): string {
  const tables = db
    .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    .pluck()
    .all()
  return tables
    .map((table) => `${table} ${db.prepare<[], number>(`SELECT count(*) FROM "${table}"`).pluck().get()}`)
    .join(', ')
}

/** What SQLite finds wrong with a file or between its tables; nothing when all is well. Reads all of it. */
export function faultsIn(db: Sqlite.Database): readonly string[] {
  const findings = db.pragma('integrity_check') as { readonly integrity_check: string }[]
  const orphans = db.pragma('foreign_key_check') as { readonly table: string; readonly parent: string }[]
  const bare = db
    .prepare<[], number>('SELECT count(*) FROM secrets WHERE nr NOT IN (SELECT nr FROM ciphertexts)')
    .pluck()
    .get()
  return [
    ...findings
      .flatMap((row) => row.integrity_check.split('\n'))
      .filter((line) => line !== 'ok' && !line.startsWith('***')),
    ...orphans.map(({ table, parent }) => `a row of ${table} refers to none of ${parent}`),
    ...(bare === 0 ? [] : [`${bare} rows of secrets have none in ciphertexts`]),
  ]
}
