import type { TransferredFile, Uuid } from '@sotto/core'
import { movedFiles } from '@sotto/storage-sql'
import type Sqlite from 'better-sqlite3'
import { createAsk, run, sqliteDialect } from '../engine/engine.ts'
import { uuidBytes } from '../engine/codec.ts'
import { hasNote } from '../secrets/secret-rows.ts'

const filesAtOnce = 500

/**
 * The files of secrets and drafts that have their note, by id: their contents belong into a backup, and come back with it. An earlier version of
 * the tables has none.
 */
export function* neededFiles(db: Sqlite.Database): Generator<TransferredFile, void> {
  const isThere = db.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'files'").get()
  if (isThere === undefined) return
  const ask = createAsk(db)
  for (let after: Uuid | undefined, isWhole = false; !isWhole;) {
    const files = run(movedFiles(sqliteDialect, hasNote, filesAtOnce, after), ask)
    yield* files.filter(({ isNeeded }) => isNeeded)
    isWhole = files.length < filesAtOnce
    after = files.at(-1)?.id
  }
}

/**
 * Why the content of a file is not there. `gone`: its secret or draft was erased, or its note destroyed. `edited`: its draft does not have
 * it any more. `missing`: for no reason that is known.
 */
export function whyMissing(
  db: Sqlite.Database,
  { id, secretId }: TransferredFile,
): 'gone' | 'edited' | 'missing' {
  const [file, secret] = [uuidBytes(id), uuidBytes(secretId)]
  const [isNamed, isNeeded] = db
    .prepare<Buffer[], [number, number]>(
      `SELECT EXISTS (SELECT 1 FROM files WHERE id = ? AND secret_id = ?), EXISTS (SELECT 1 FROM secrets s WHERE s.id = ? AND ${hasNote})`,
    )
    .raw()
    .get(file, secret, secret) ?? [0, 0]
  if (isNeeded === 0) return 'gone'
  return isNamed === 0 ? 'edited' : 'missing'
}
