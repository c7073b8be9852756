import type { StorageError, TransferredRows, TransferSource } from '@sotto/core'
import { movedFiles, movedPage, transferredTables } from '@sotto/storage-sql'
import type Sqlite from 'better-sqlite3'
import { err, ok, ResultAsync, type Result } from 'neverthrow'
import { createAsk, run, sqliteDialect } from '../engine/engine.ts'
import { movedMeanwhile, storageErrorOf } from '../connection/errors.ts'
import { identityOf, type Watched } from '../connection/place.ts'
import { hasNote } from '../secrets/secret-rows.ts'
import { placesOfRows } from './places.ts'

/** The pages of the tables, read on one connection. */
export function transferredRowsOn(db: Sqlite.Database): TransferredRows {
  const ask = createAsk(db)
  return {
    tables: transferredTables,
    page: (table, after, limit) =>
      attempt(() => run(movedPage(sqliteDialect, placesOfRows, table, after, limit), ask)),
  }
}

/** The files whose contents are moved, read on one connection. */
export function transferredFilesOn(db: Sqlite.Database): TransferSource['files'] {
  const ask = createAsk(db)
  return (after, limit) => attempt(() => run(movedFiles(sqliteDialect, hasNote, limit, after), ask))
}

/** The result of statements; an Err when they throw. */
export function attempt<T>(work: () => T): ResultAsync<T, StorageError> {
  return new ResultAsync(Promise.resolve(resultOf(work)))
}

/** The result of statements; an Err also when others do not find what was written: see `Place`. */
export function attemptAt({ path, identity }: Watched, work: () => void): ResultAsync<void, StorageError> {
  return attempt(work).andThen(() => (identityOf(path) === identity ? ok() : err(movedMeanwhile)))
}

function resultOf<T>(work: () => T): Result<T, StorageError> {
  try {
    return ok(work())
  } catch (error) {
    return err(storageErrorOf(error))
  }
}
