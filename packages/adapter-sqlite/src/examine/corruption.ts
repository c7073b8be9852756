import type Sqlite from 'better-sqlite3'

/** What SQLite finds wrong with a file or between its tables; empty when all is well. Reads all of it. */
export function corruptionIn(db: Sqlite.Database): readonly string[] {
  const lines = db.pragma('integrity_check') as { readonly integrity_check: string }[]
  const orphans = db.pragma('foreign_key_check') as { readonly table: string; readonly parent: string }[]
  const bare = db
    .prepare<[], number>('SELECT count(*) FROM secrets WHERE nr NOT IN (SELECT nr FROM ciphertexts)')
    .pluck()
    .get()
  return [
    ...lines
      .flatMap((row) => row.integrity_check.split('\n'))
      .filter((line) => line !== 'ok' && !line.startsWith('***')),
    ...orphans.map(({ table, parent }) => `a row of ${table} refers to none of ${parent}`),
    ...(bare === 0 ? [] : [`${bare} rows of secrets have none in ciphertexts`]),
  ]
}
