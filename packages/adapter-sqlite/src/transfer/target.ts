import { dirname, join } from 'node:path'
import type { TransferTarget, TransferTargetError, TransferTargetOptions } from '@sotto/core'
import { syncPath } from '@sotto/system'
import type Sqlite from 'better-sqlite3'
import { err, ok, type Result } from 'neverthrow'
import { databaseName } from '../tables/main-file.ts'
import { makeFile } from '../connection/connection.ts'
import { FileCorrupted } from '../connection/errors.ts'
import {
  movingApplicationId,
  movingTable,
  newestVersion,
  stateOf,
  takeSteps,
} from '../connection/migrations.ts'
import { openErrorOf, stateErrorOf } from '../connection/open-file.ts'
import { identityOf, type Watched } from '../connection/place.ts'
import { createFileStore, filesName } from '../files/file-store.ts'
import { mainSchema } from '../tables/schema.ts'
import { createAddRows } from './add-rows.ts'
import { connectAlone } from './alone.ts'
import { attempt, attemptAt, transferredRowsOn } from './rows.ts'

/** Begins or continues a copy in a directory, which is made if there is none. */
export function openTarget(
  dataDir: string,
  options: TransferTargetOptions & { readonly hasData: boolean },
): Result<TransferTarget, TransferTargetError> {
  const location = join(dataDir, databaseName)
  if (!options.hasData && !options.create) return err({ code: 'database_missing', location })
  let db: Sqlite.Database | undefined
  try {
    makeFile(location)
    const identity = identityOf(location)
    db = connectAlone(location)
    if (db === undefined) return err({ code: 'database_in_use', location })
    const refusal = prepare(db, location, options)
    if (refusal === undefined) return ok(targetOn(db, { path: location, identity }, options))
    db.close()
    return err(refusal)
  } catch (error) {
    db?.close()
    return err(openErrorOf(error, location))
  }
}

/** Makes the tables in a fresh file. The error for a file that is no unfinished copy of this installation. */
function prepare(
  db: Sqlite.Database,
  location: string,
  { instanceId }: TransferTargetOptions,
): TransferTargetError | undefined {
  const state = stateOf(db, mainSchema)
  if (state.kind === 'fresh') {
    begin(db, instanceId)
    return undefined
  }
  if (state.kind === 'foreign' || state.kind === 'newer') return stateErrorOf(state, mainSchema, location)
  const found = db.prepare<[], Buffer>('SELECT instance_id FROM meta').pluck().get()
  const isSame = found?.equals(instanceId) === true
  if (state.kind === 'moving' && state.to === undefined && isSame) {
    const known = newestVersion(mainSchema)
    if (state.version === known) return undefined
    return { code: 'database_older', location, version: state.version, known }
  }
  return { code: 'move_target_used', location, isCopy: state.kind === 'known' && isSame }
}

function begin(db: Sqlite.Database, instanceId: Uint8Array): void {
  db.transaction(() => {
    takeSteps(db, mainSchema)
    db.prepare('UPDATE meta SET instance_id = ?').run(instanceId)
    db.exec(movingTable)
    db.exec('INSERT INTO move (one) VALUES (1)')
    db.pragma(`application_id = ${movingApplicationId}`)
  }).immediate()
}

function targetOn(
  db: Sqlite.Database,
  file: Watched,
  { sweptAtMicros }: TransferTargetOptions,
): TransferTarget {
  const addRows = createAddRows(db)
  return {
    ...transferredRowsOn(db),
    fileContents: createFileStore({ directory: join(dirname(file.path), filesName) }),
    add: (table, rows) => attempt(() => db.transaction(() => addRows(table, rows)).immediate()),
    finish: () => attemptAt(file, () => finish(db, dirname(file.path), sweptAtMicros)),
    close: () => Promise.resolve(void db.close()),
  }
}

/** Finishes the copy. Leases are not copied: a target is due when the first of its deliveries is. */
function finish(db: Sqlite.Database, dataDir: string, sweptAtMicros: number | undefined): void {
  db.transaction(() => {
    const orphans = db.pragma('foreign_key_check') as readonly unknown[]
    if (orphans.length > 0) throw new FileCorrupted('a row refers to none')
    db.exec(
      `UPDATE targets SET due_at = (SELECT min(d.due_at) FROM deliveries d 
         WHERE d.target_kind = targets.kind AND d.target_id = targets.id AND d.is_head)`,
    )
    db.prepare('UPDATE meta SET swept_at = ?').run(sweptAtMicros)
    db.exec('DROP TABLE move')
    db.pragma(`application_id = ${mainSchema.applicationId}`)
  }).immediate()
  syncPath(dataDir)
}
