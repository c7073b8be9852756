import type { MovedRows, StorageError } from '@sotto/core'
import { movedPage, movedTables } from '@sotto/storage-sql'
import type Sqlite from 'better-sqlite3'
import { err, ok, ResultAsync, type Result } from 'neverthrow'
import { createRun, sqliteDialect } from '../engine.ts'
import { storageErrorOf } from '../file/errors.ts'
import { placesOfRows } from './places.ts'

/** The pages of the tables, read on one connection. */
export function movedRowsOn(db: Sqlite.Database): MovedRows {
  const run = createRun(db)
  return {
    tables: movedTables,
    page: (table, after, limit) =>
      attempt(() => run(movedPage(sqliteDialect, placesOfRows, table, after, limit))),
  }
}

/** The result of statements; an Err when they throw. */
export function attempt<T>(work: () => T): ResultAsync<T, StorageError> {
  return new ResultAsync(Promise.resolve(resultOf(work)))
}

function resultOf<T>(work: () => T): Result<T, StorageError> {
  try {
    return ok(work())
  } catch (error) {
    return err(storageErrorOf(error))
  }
}
