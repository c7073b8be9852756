import { textColumns } from '@sotto/core'
import Sqlite from 'better-sqlite3'
import { test } from 'tap'
import { migrate } from '../src/file/migrations.ts'
import { keyedColumns, keyedTables } from '../src/keyed-columns.ts'
import { mainSchema } from '../src/schema.ts'

function freshDatabase(): Sqlite.Database {
  const db = new Sqlite(':memory:')
  migrate(db, mainSchema)
  return db
}

const columnsOf = (db: Sqlite.Database, table: string) =>
  db.prepare<[string], string>('SELECT name FROM pragma_table_info(?)').pluck().all(table)

test('every text column of the core is registered, with columns that exist', (t) => {
  const db = freshDatabase()
  t.same(Object.keys(keyedColumns).sort(), [...textColumns].sort())
  for (const { table, column, accountId } of Object.values(keyedColumns)) {
    const columns = columnsOf(db, table)
    for (const name of ['id', 'kid', column, accountId]) t.ok(columns.includes(name), `${table}.${name}`)
  }
  db.close()
  t.end()
})

test('the registered tables are those whose kid refers to keys', (t) => {
  const db = freshDatabase()
  const tables = db
    .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    .pluck()
    .all()
  t.same(
    tables.filter((table) => columnsOf(db, table).includes('kid') && table !== 'keys'),
    [...keyedTables].sort(),
  )
  const referring = db
    .prepare<[], string>(
      `SELECT m.name FROM sqlite_schema m, pragma_foreign_key_list(m.name) f
       WHERE m.type = 'table' AND f."table" = 'keys' ORDER BY m.name`,
    )
    .pluck()
    .all()
  t.same(referring, [...keyedTables].sort())
  db.close()
  t.end()
})
