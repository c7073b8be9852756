import { statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { TransferSource, TransferSourceError } from '@sotto/core'
import type Sqlite from 'better-sqlite3'
import { err, ok, type Result } from 'neverthrow'
import { databaseName, refusalOf } from '../tables/main-file.ts'
import { migrate, movingApplicationId, movingTable, stateOf } from '../connection/migrations.ts'
import { openErrorOf, stateErrorOf } from '../connection/open-file.ts'
import { identityOf, type Watched } from '../connection/place.ts'
import { createFileStore, filesName } from '../files/file-store.ts'
import { mainSchema } from '../tables/schema.ts'
import { connectAlone } from './alone.ts'
import { attemptAt, transferredFilesOn, transferredRowsOn } from './rows.ts'

/** Opens the database of a directory to copy it. The lock on the file is gone when it is closed or the process ends. */
export function openSource(dataDir: string, to: string): Result<TransferSource, TransferSourceError> {
  const location = join(dataDir, databaseName)
  if ((statSync(location, { throwIfNoEntry: false })?.size ?? 0) === 0)
    return err({ code: 'database_missing', location })
  let db: Sqlite.Database | undefined
  try {
    const identity = identityOf(location)
    db = connectAlone(location)
    if (db === undefined) return err({ code: 'database_in_use', location })
    const source = sourceOn(db, { path: location, identity }, to)
    if (source.isErr()) db.close()
    return source
  } catch (error) {
    db?.close()
    return err(openErrorOf(error, location))
  }
}

type MetaRow = [instanceId: Buffer, sweptAt: number | null]

function sourceOn(
  db: Sqlite.Database,
  file: Watched,
  to: string,
): Result<TransferSource, TransferSourceError> {
  const location = file.path
  const state = stateOf(db, mainSchema)
  const isLeft = state.kind === 'moving' && state.to === to
  const error = isLeft
    ? undefined
    : (stateErrorOf(state, mainSchema, location) ??
      (state.kind === 'known' ? refusalOf(db, location) : undefined))
  if (error !== undefined) return err(error)
  if (state.kind === 'fresh') return err({ code: 'database_missing', location })
  if (!isLeft) migrate(db, mainSchema)
  const meta = db.prepare<[], MetaRow>('SELECT instance_id, swept_at FROM meta').raw().get()
  const [instanceId = Buffer.alloc(0), sweptAt = null] = meta ?? []
  return ok({
    ...transferredRowsOn(db),
    instanceId,
    sweptAtMicros: sweptAt ?? undefined,
    isLeft,
    files: transferredFilesOn(db),
    fileContents: createFileStore({ directory: join(dirname(location), filesName) }),
    leave: () => attemptAt(file, () => (isLeft ? undefined : leave(db, to))),
    close: () => Promise.resolve(void db.close()),
  })
}

function leave(db: Sqlite.Database, to: string): void {
  db.transaction(() => {
    db.exec(movingTable)
    db.prepare('INSERT INTO move (one, moved_to) VALUES (1, ?)').run(to)
    db.pragma(`application_id = ${movingApplicationId}`)
  }).immediate()
}
