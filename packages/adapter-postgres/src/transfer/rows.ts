import type { StorageError, TransferredRows, TransferredTable, TransferredType } from '@sotto/core'
import { movedPage, transferredTables } from '@sotto/storage-sql'
import { err, ok, ResultAsync, type Result } from 'neverthrow'
import type { Connection } from '../connection/connection.ts'
import { transact } from '../connection/database.ts'
import { storageErrorOf } from '../connection/errors.ts'
import { placeholders, type Sql, type Statement } from '../connection/sql.ts'
import { postgresDialect, run } from '../engine/engine.ts'

/** The tables of this adapter have the names and the columns of a move. */
const sqlTypes: Readonly<Record<TransferredType, string>> = {
  uuid: 'uuid',
  integer: 'bigint',
  text: 'text',
  bytes: 'bytea',
  boolean: 'boolean',
}

/** The pages of the tables, read on one connection. */
export function transferredRowsOn(sql: Sql): TransferredRows {
  return {
    tables: transferredTables,
    page: (table, after, limit) =>
      attempt(false, () => run(sql, movedPage(postgresDialect, {}, table, after, limit))),
  }
}

/** The statement that adds this many rows, except those whose key is there. */
export function addStatement({ name, columns }: TransferredTable, rows: number): Statement {
  const types = columns.map(({ type }) => sqlTypes[type])
  return {
    name: `move_add_${name}_${rows}`,
    text: `INSERT INTO ${name} (${listOf(columns)}) VALUES ${placeholders(rows, types)} ON CONFLICT DO NOTHING`,
  }
}

function listOf(columns: TransferredTable['columns']): string {
  return columns.map(({ name }) => name).join(', ')
}

/** The result of statements; an Err when they reject. */
export function attempt<T>(wasWriting: boolean, work: () => Promise<T>): ResultAsync<T, StorageError> {
  const run = async (): Promise<Result<T, StorageError>> => {
    try {
      return ok(await work())
    } catch (error) {
      return err(storageErrorOf(error, { wasWriting }))
    }
  }
  return new ResultAsync(run())
}

/** The result of a transaction. What is answered with Ok is on the disk, because the source is left then. */
export function inTransaction<T, E = never>(
  connection: Connection,
  work: (sql: Sql) => Promise<Result<T, E>>,
): ResultAsync<T, E | StorageError> {
  return attempt(true, () => transact(connection, 'READ COMMITTED', work)).andThen((done) => done)
}
