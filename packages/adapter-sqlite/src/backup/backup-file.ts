import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import type { BackedUpKeys, CopyProgress, RestoreError } from '@sotto/core'
import type Sqlite from 'better-sqlite3'
import { err, ok, type Result } from 'neverthrow'
import { corruptionIn } from '../examine/corruption.ts'
import { connectRaw, pageSize } from '../connection/connection.ts'
import { isCorrupted, reasonOf } from '../connection/errors.ts'
import { newestVersion, stateOf } from '../connection/migrations.ts'
import { mainSchema } from '../tables/schema.ts'
import { unreleasedTablesIn } from '../tables/unreleased.ts'
import { kidsIn } from './contents.ts'

/** Why a file cannot be restored. It was not touched. */
type BackupFileError = Extract<RestoreError, { readonly code: `backup_${string}` }>

/** A backup that was found to be sound, open for reading. */
export interface BackupFile extends BackedUpKeys {
  readonly db: Sqlite.Database
  readonly backedUpAtMicros: number
  /** How many bytes of the file are the database. Behind them are the contents of files. */
  readonly databaseBytes: number
}

/** Opens a backup after reading all of its database, without changing anything. The caller closes `db`. */
export function openBackup(path: string): Result<BackupFile, BackupFileError> {
  let db: Sqlite.Database | undefined
  try {
    const header = checkHeader(path)
    if (header.isErr()) return err(header.error)
    db = connectRaw({ path, synchronous: 'FULL', busyTimeoutMillis: 1_000, readonly: true })
    // No other process can change it from here on.
    db.exec('BEGIN')
    const backup = readBackup(db, path, header.value)
    if (backup.isErr()) db.close()
    return backup
  } catch (error) {
    db?.close()
    const code = isCorrupted(error) ? 'backup_damaged' : 'backup_unreadable'
    return err({ code, path, detail: reasonOf(error) })
  }
}

const headerBytes = 100
const magic = Buffer.from('SQLite format 3\0', 'latin1')

/**
 * Checks the first bytes (https://www.sqlite.org/fileformat.html#the_database_header) before SQLite opens the file: for a database in WAL
 * mode, which no backup is, SQLite would create other files beside it. Ok with how many bytes are the database.
 * @throws the errors of the file system
 */
function checkHeader(path: string): Result<number, BackupFileError> {
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
    if (expectedBytes <= stats.size) return ok(expectedBytes)
    const detail = `it has ${stats.size} bytes of ${expectedBytes}`
    return err({ code: 'backup_damaged', path, detail })
  } finally {
    closeSync(fd)
  }
}

/** @throws the errors of SQLite */
function readBackup(
  db: Sqlite.Database,
  path: string,
  databaseBytes: number,
): Result<BackupFile, BackupFileError> {
  const state = stateOf(db, mainSchema)
  if (state.kind === 'newer')
    return err({ code: 'backup_newer', path, version: state.version, known: newestVersion(mainSchema) })
  if (state.kind !== 'known') return err({ code: 'backup_foreign', path })
  const unreleased = unreleasedTablesIn(db)
  if (unreleased !== undefined) return err({ code: 'backup_unreleased', path, ...unreleased })
  const [corruption] = corruptionIn(db)
  if (corruption !== undefined) return err({ code: 'backup_damaged', path, detail: corruption })
  const meta = db
    .prepare<[], [at: number | null, instanceId: Buffer]>('SELECT backed_up_at, instance_id FROM meta')
    .raw()
    .get()
  if (meta === undefined || meta[0] === null) return err({ code: 'backup_foreign', path })
  const [backedUpAtMicros, instanceId] = meta
  return ok({ db, backedUpAtMicros, instanceId, keys: keysIn(db), databaseBytes })
}

function keysIn(db: Sqlite.Database): BackedUpKeys['keys'] {
  const used = kidsIn(db)
  return db
    .prepare<[], [kid: number, checkValue: Buffer]>('SELECT kid, check_value FROM keys')
    .raw()
    .all()
    .map(([kid, checkValue]) => ({ kid, checkValue, isUsed: used.includes(kid) }))
}

/** Pages that are copied before other work of the process gets a turn: 4 MiB. */
const pagesAtOnce = 1_024

/**
 * Copies a database into an empty file by SQLite's online backup (https://www.sqlite.org/backup.html). Inside a transaction of `source`
 * the copy is what that transaction sees; without one the copying would start again whenever another process writes. Rejects with the
 * errors of SQLite.
 */
export async function copyOnline(
  source: Sqlite.Database,
  path: string,
  onProgress: (progress: CopyProgress) => void = () => undefined,
): Promise<void> {
  await source.backup(path, {
    progress({ totalPages, remainingPages }) {
      const totalBytes = totalPages * pageSize
      onProgress({ copiedBytes: totalBytes - remainingPages * pageSize, totalBytes })
      return pagesAtOnce
    },
  })
}
