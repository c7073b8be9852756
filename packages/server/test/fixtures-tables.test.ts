import { join } from 'node:path'
import { createManualClock } from '@sotto/test-kit'
import t, { type Test } from 'tap'
import { query, rowsOf } from '../../adapter-postgres/test/support/server.ts'
import { copyFixture, fixtureVersions, readDump } from './support/fixtures.ts'
import { openIn } from './support/installation.ts'
import { startPostgres } from './support/postgres.ts'
import { withRaw, type RawDatabase } from './support/raw-sqlite.ts'

// Tables that a migration has brought up to date are those that a fresh database gets.

type Row = Readonly<Record<string, unknown>>

/** What SQLite says of every table, index and trigger, without the way in which the statements are written. */
function tablesOf(db: RawDatabase): Readonly<Record<string, unknown>> {
  const objects = db.prepare("SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%'").all()
  return Object.fromEntries<unknown>(
    (objects as readonly { type: string; name: string; sql: string }[]).map(({ type, name, sql }) => {
      if (type !== 'table') return [`${type} ${name}`, sql.replaceAll(/\s+/g, ' ')]
      const ask = (pragma: string) => db.prepare(`SELECT * FROM ${pragma}('${name}') ORDER BY 1, 2`).all()
      const indexes = ask('pragma_index_list').map((index) => ({ ...(index as Row), seq: 0 }))
      // Columns that were added are on one line, and after the last one the parenthesis that ends the table.
      const lines = sql.replaceAll(/, (?=\w+ (?:BLOB|INTEGER|TEXT))/g, ',\n')
      const checks = [...lines.matchAll(/CHECK \(.*\)/g)].map(([check]) => check.replace(/\)+$/, '')).sort()
      const options = /\)\s*([A-Z, ]*)$/.exec(sql)?.[1]
      const keys = ask('pragma_foreign_key_list').map((key) => ({ ...(key as Row), id: 0 }))
      return [
        `table ${name}`,
        { columns: ask('pragma_table_xinfo'), keys, indexes: indexes.length, checks, options },
      ]
    }),
  )
}

/** The tables of a file of SQLite that is opened. @param version that of a fixture; none for a fresh file */
async function tablesOnSqlite(t: Test, version?: string): Promise<Readonly<Record<string, unknown>>> {
  const cwd = t.testdir()
  if (version !== undefined) copyFixture(version, 'sqlite', cwd)
  await (await openIn(cwd, { replace: { clock: createManualClock(0) } })).close()
  return withRaw(join(cwd, 'data', 'sotto.sqlite'), tablesOf)
}

/** What PostgreSQL says of every column, constraint and index. `e`: it does not try to compress the column. */
const catalog = `SELECT 'column' AS kind, table_name || '.' || column_name AS name,
    concat_ws(' ', data_type, is_nullable, column_default) AS what
  FROM information_schema.columns WHERE table_schema = 'public'
  UNION ALL SELECT 'constraint', conrelid::regclass || '.' || conname, pg_get_constraintdef(oid)
    FROM pg_constraint WHERE connamespace = 'public'::regnamespace
  UNION ALL SELECT 'index', indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'
  UNION ALL SELECT 'storage', attrelid::regclass || '.' || attname, attstorage::text
    FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
    WHERE relnamespace = 'public'::regnamespace AND attstorage = 'e'
  ORDER BY 1, 2, 3`

/** The tables of a database of PostgreSQL that is opened. @param version that of a fixture; none for an empty database */
async function tablesOnPostgres(t: Test, version?: string): Promise<readonly unknown[]> {
  const { url, env } = await startPostgres()
  const cwd = t.testdir()
  if (version !== undefined) {
    await query(url, readDump(version, 'postgres/dump.sql'))
    copyFixture(version, 'postgres', cwd)
  }
  await (await openIn(cwd, { env, replace: { clock: createManualClock(0) } })).close()
  return rowsOf(url, catalog)
}

// Promise (Upgrading): A database that is migrated has the tables of a new one
t.test('a migrated file of SQLite has the tables of a fresh one', async (t) => {
  const fresh = await tablesOnSqlite(t)
  t.ok(Object.keys(fresh).length > 40)
  for (const version of fixtureVersions)
    await t.test(version, async (t) => t.strictSame(await tablesOnSqlite(t, version), fresh))
})

// Promise (Upgrading): A database that is migrated has the tables of a new one: on PostgreSQL too
t.test('a migrated database of PostgreSQL has the tables of a fresh one', async (t) => {
  const fresh = await tablesOnPostgres(t)
  t.ok(fresh.length > 100)
  t.match(fresh.at(-1), ['storage', 'secrets.note', 'e'])
  for (const version of fixtureVersions)
    await t.test(version, async (t) => t.strictSame(await tablesOnPostgres(t, version), fresh))
})
