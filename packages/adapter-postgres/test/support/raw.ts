import { createDatabase, type Database } from '../../src/connection/database.ts'
import { createPool, type PoolOptions } from '../../src/connection/pool.ts'
import type { Sql, Statement } from '../../src/connection/sql.ts'
import { readUrl } from '../../src/connection/url.ts'

/** How a storage under test is connected. */
export function poolOptions(url: string, options: Partial<PoolOptions> = {}): PoolOptions {
  const read = readUrl(url)
  if (read.isErr()) throw new Error(read.error)
  return { url: read.value, connectionsMax: 4, pipeline: true, prepare: true, ...options }
}

/** A database without stores, for a test that comes between a store and its statements. */
export function openDatabase(
  url: string,
  options: Partial<PoolOptions> = {},
): Database & { close(): Promise<void> } {
  return createDatabase(createPool({ ...poolOptions(url, options), onError: () => undefined }))
}

/** What a test does with a statement before it is sent: returns the one to send instead. */
export type Before = (statement: Statement) => Statement | Promise<Statement>

/** A database whose statements pass by a test first. */
export function watched(db: Database, before: Before): Database {
  const sqlOf = <S extends Sql>(sql: S): S => ({
    ...sql,
    rows: async (statement: Statement, values) => sql.rows(await before(statement), values),
    row: async (statement: Statement, values) => sql.row(await before(statement), values),
    changes: async (statement: Statement, values) => sql.changes(await before(statement), values),
    all: async (asked) =>
      sql.all(
        await Promise.all(asked.map(async (each) => ({ ...each, statement: await before(each.statement) }))),
      ),
  })
  return {
    read: (work) => db.read((sql) => work(sqlOf(sql))),
    statement: (work, options) => db.statement((sql) => work(sqlOf(sql)), options),
    transaction: (work, options) => db.transaction((sql) => work(sqlOf(sql)), options),
  }
}
