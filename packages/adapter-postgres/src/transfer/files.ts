import type { Clock, FileStore, TransferSource } from '@sotto/core'
import { movedFiles } from '@sotto/storage-sql'
import type { Connection } from '../connection/connection.ts'
import { postgresDialect, run } from '../engine/engine.ts'
import { createFileStore } from '../files/file-store.ts'
import { hasNote } from '../secrets/secret-rows.ts'
import { attempt, inTransaction } from './rows.ts'

/** The files whose contents are moved, and their contents, on one connection: it has locked all tables of a source. */
export function transferredFilesOn(connection: Connection): {
  readonly files: TransferSource['files']
  readonly fileContents: FileStore
} {
  return {
    files: (after, limit) =>
      attempt(false, () => run(connection, movedFiles(postgresDialect, hasNote, limit, after))),
    fileContents: createFileStore(
      {
        read: (work) => attempt(false, () => work(connection)),
        statement: (work) => inTransaction(connection, work),
      },
      thisMachine,
    ),
  }
}

/** Only tells how old a content is that no row names: a move does without the clock of the database. */
const thisMachine: Clock = { nowMicros: () => Date.now() * 1_000 }
