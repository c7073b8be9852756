import Sqlite from 'better-sqlite3'

/** Records the statements that are prepared from now on, without pragmas and transactions, until it is asked for them. */
export function recordPrepared(): () => readonly string[] {
  const seen = new Set<string>()
  const { prepare } = Sqlite.prototype
  Sqlite.prototype.prepare = function (this: Sqlite.Database, sql: string) {
    seen.add(sql)
    return prepare.call(this, sql)
  } as typeof prepare
  return () => {
    Sqlite.prototype.prepare = prepare
    return [...seen].filter(
      (sql) => /^\s*(?:SELECT|INSERT|UPDATE|DELETE)/.test(sql) && !sql.includes('sqlite_schema'),
    )
  }
}

export function planOf(db: Sqlite.Database, sql: string): readonly string[] {
  const rows = db
    .prepare<[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql.replaceAll(/[@?]\w*/g, 'NULL')}`)
    .all()
  return rows.map(({ detail }) => detail)
}

/** What never holds more than a few rows; `slice` is what a statement has found of a table, up to a limit. */
const tiny = /^SCAN (?:CONSTANT ROW|(?:meta|keys|k|servers|slice)\b)/

/** What `DeliveryStore.state` and `Upkeep.countRows` count by reading every entry of one index, and no row; of sums there is one an account. */
const counted =
  /^SCAN (?:(?:outbox|deliveries|accounts|folders|secrets|requests|access_tokens|files) USING COVERING INDEX \w+|file_sums)$/
const isCount = /^SELECT\s+\(SELECT count\(\*\) FROM (?:outbox|accounts)\)/

/** The steps of a statement that read more than they find. */
export function slowStepsOf(db: Sqlite.Database, sql: string): readonly string[] {
  const steps = planOf(db, sql).filter((step) => /^SCAN|TEMP B-TREE/.test(step) && !tiny.test(step))
  return isCount.test(sql) ? steps.filter((step) => !counted.test(step)) : steps
}
