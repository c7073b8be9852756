import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import type Sqlite from 'better-sqlite3'
import { err, ok, type Result } from 'neverthrow'
import { connectRaw } from './connection.ts'
import { faultsIn } from './contents.ts'
import { isDamaged, reasonOf } from './errors.ts'
import { standingOf } from './migrations.ts'
import { mainSchema } from './schema.ts'

/** Why a file cannot be restored. It was not touched. */
export type BackupFileError =
  /** It is not there or cannot be read. */
  | { readonly code: 'backup_unreadable'; readonly path: string; readonly detail: string }
  /** It is not a backup that `backUpDatabase` made. */
  | { readonly code: 'backup_foreign'; readonly path: string }
  /** It was made by a later version of this package. */
  | { readonly code: 'backup_newer'; readonly path: string; readonly version: number; readonly known: number }
  /** It is torn or was changed. */
  | { readonly code: 'backup_damaged'; readonly path: string; readonly detail: string }

/** A backup that was found to be sound, open for reading. */
export interface BackupFile {
  readonly db: Sqlite.Database
  readonly backedUpAtMicros: number
  readonly instanceId: Uint8Array
  readonly keys: readonly BackedUpKey[]
}

/** A key that rows of the backup may be under. */
export interface BackedUpKey {
  readonly kid: number
  readonly checkValue: Uint8Array
}

/** Opens a backup, having read all of it, without changing anything. Whoever gets it closes `db`. */
export function openBackup(path: string): Result<BackupFile, BackupFileError> {
  let db: Sqlite.Database | undefined
  try {
    const header = readHeader(path)
    if (header.isErr()) return err(header.error)
    db = connectRaw({ path, synchronous: 'FULL', busyTimeoutMillis: 1_000, readonly: true })
    // Nobody else changes it from here on.
    db.exec('BEGIN')
    const backup = judge(db, path)
    if (backup.isErr()) db.close()
    return backup
  } catch (error) {
    db?.close()
    if (isDamaged(error)) return err({ code: 'backup_damaged', path, detail: reasonOf(error) })
    return err({ code: 'backup_unreadable', path, detail: reasonOf(error) })
  }
}

const headerBytes = 100
const magic = Buffer.from('SQLite format 3\0', 'latin1')

/**
 * Judges the first bytes (https://www.sqlite.org/fileformat.html#the_database_header) before SQLite opens the file: a database in WAL
 * mode, which no backup is, would get other files beside it. Throws what the file system says.
 */
function readHeader(path: string): Result<void, BackupFileError> {
  const fd = openSync(path, 'r')
  try {
    const header = Buffer.alloc(headerBytes)
    const stats = fstatSync(fd)
    if (!stats.isFile()) return err({ code: 'backup_foreign', path })
    const isWhole = readSync(fd, header, 0, headerBytes, 0) === headerBytes
    if (!isWhole || !header.subarray(0, magic.length).equals(magic))
      return err({ code: 'backup_foreign', path })
    const isRollback = header[18] === 1 && header[19] === 1
    const isOurs = header.readUInt32BE(68) === mainSchema.applicationId
    if (!isRollback || !isOurs) return err({ code: 'backup_foreign', path })
    const expectedBytes = header.readUInt16BE(16) * header.readUInt32BE(28)
    if (expectedBytes === stats.size) return ok()
    const detail = `it has ${stats.size} bytes of ${expectedBytes}`
    return err({ code: 'backup_damaged', path, detail })
  } finally {
    closeSync(fd)
  }
}

/** Throws what SQLite throws. */
function judge(db: Sqlite.Database, path: string): Result<BackupFile, BackupFileError> {
  const standing = standingOf(db, mainSchema)
  if (standing.kind === 'newer') {
    return err({ code: 'backup_newer', path, version: standing.version, known: mainSchema.steps.length })
  }
  if (standing.kind !== 'known') return err({ code: 'backup_foreign', path })
  const [fault] = faultsIn(db)
  if (fault !== undefined) return err({ code: 'backup_damaged', path, detail: fault })
  const meta = db
    .prepare<[], [at: number | null, instanceId: Buffer]>('SELECT backed_up_at, instance_id FROM meta')
    .raw()
    .get()
  if (meta === undefined || meta[0] === null) return err({ code: 'backup_foreign', path })
  const keys = db
    .prepare<[], [kid: number, checkValue: Buffer]>('SELECT kid, check_value FROM keys')
    .raw()
    .all()
  const [backedUpAtMicros, instanceId] = meta
  return ok({
    db,
    backedUpAtMicros,
    instanceId,
    keys: keys.map(([kid, checkValue]) => ({ kid, checkValue })),
  })
}
