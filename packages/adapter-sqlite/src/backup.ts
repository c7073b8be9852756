import { existsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type Sqlite from 'better-sqlite3'
import { err, ok, ResultAsync, type Result } from 'neverthrow'
import { bringIntoForce, connectRaw } from './connection.ts'
import { contentsOf, faultsIn, rowCounts, type Contents } from './contents.ts'
import { copyOnline, type CopyProgress } from './copy-online.ts'
import { reasonOf } from './errors.ts'
import { standingOf } from './migrations.ts'
import { createNewFile, type NewFile } from './new-file.ts'
import { openErrorOf, type OpenError } from './opening.ts'
import { mainSchema } from './schema.ts'

export type BackupError =
  | OpenError
  /** There is nothing to back up. */
  | { readonly code: 'database_missing'; readonly path: string }
  /** Something of that name is there already. It was not touched. */
  | { readonly code: 'backup_exists'; readonly path: string }
  /** It cannot be written; nothing is left of it. */
  | { readonly code: 'backup_not_written'; readonly path: string; readonly detail: string }
  /** What was written is not what was read; nothing is left of it. */
  | { readonly code: 'backup_not_verified'; readonly path: string; readonly detail: string }

export interface BackupOptions {
  /** Where the database lies. */
  readonly dataDir: string
  /** The backup, which must not be there yet. */
  readonly file: string
  readonly nowMicros: number
  readonly onProgress?: ((progress: CopyProgress) => void) | undefined
}

export interface Backup {
  readonly bytes: number
  readonly backedUpAtMicros: number
  readonly contents: Contents
}

/**
 * Makes a backup of the main file while others write to it: the state of one moment, everything that was acknowledged before it
 * included. It is one file that needs no other beside it, readable by its owner alone, without any key and without the counts of the
 * quota. It gets its name when it is whole, verified and safe from a power cut, and never takes the place of another file.
 */
export function backUpDatabase(options: BackupOptions): ResultAsync<Backup, BackupError> {
  return new ResultAsync(backUp({ ...options, file: resolve(options.file) }))
}

async function backUp(options: BackupOptions): Promise<Result<Backup, BackupError>> {
  const { file, dataDir } = options
  const path = join(resolve(dataDir), 'sotto.sqlite')
  const opened = openSource(path)
  if (opened.isErr()) return err(opened.error)
  const source = opened.value
  try {
    return await writeBackup(source, options)
  } catch (error) {
    return err({ code: 'backup_not_written', path: file, detail: reasonOf(error) })
  } finally {
    source.close()
  }
}

/** Opens the database without changing it, not even its version. */
function openSource(path: string): Result<Sqlite.Database, BackupError> {
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0)
    return err({ code: 'database_missing', path })
  let db: Sqlite.Database | undefined
  try {
    const connection = { path, synchronous: 'FULL', busyTimeoutMillis: 10_000 } as const
    db = connectRaw(connection)
    const standing = standingOf(db, mainSchema)
    const refusal = refusalOf(standing, path)
    if (refusal === undefined) {
      bringIntoForce(db, connection)
      return ok(db)
    }
    db.close()
    return err(refusal)
  } catch (error) {
    db?.close()
    return err(openErrorOf(error, path))
  }
}

function refusalOf(standing: ReturnType<typeof standingOf>, path: string): BackupError | undefined {
  if (standing.kind === 'known') return undefined
  if (standing.kind !== 'newer') return { code: 'database_foreign', path }
  return { code: 'database_newer', path, version: standing.version, known: mainSchema.steps.length }
}

/** Throws what the file system and SQLite say. */
async function writeBackup(
  source: Sqlite.Database,
  { file, nowMicros, onProgress }: BackupOptions,
): Promise<Result<Backup, BackupError>> {
  if (existsSync(file)) return err({ code: 'backup_exists', path: file })
  const copy = createNewFile(file, 'backup')
  try {
    // From here on this connection sees the state of this moment, however long the copying takes.
    source.exec('BEGIN')
    const expected = rowCounts(source)
    const contents = contentsOf(source, nowMicros)
    await copyOnline(source, copy.path, onProgress)
    source.exec('COMMIT')
    const instanceId = source.prepare<[], Buffer>('SELECT instance_id FROM meta').pluck().get()
    finish(copy, nowMicros)
    const fault = faultOf(copy, { expected, instanceId })
    if (fault !== undefined) return err({ code: 'backup_not_verified', path: file, detail: fault })
    const { size: bytes } = statSync(copy.path)
    if (!copy.publish()) return err({ code: 'backup_exists', path: file })
    return ok({ bytes, backedUpAtMicros: nowMicros, contents })
  } finally {
    copy.discard()
  }
}

/** Makes one file of it that says what it is. */
function finish({ path }: NewFile, nowMicros: number): void {
  const db = connectRaw({ path, synchronous: 'FULL', busyTimeoutMillis: 0 })
  try {
    db.pragma('journal_mode = DELETE')
    db.pragma('secure_delete = ON')
    db.prepare('UPDATE meta SET backed_up_at = ?').run(nowMicros)
  } finally {
    db.close()
  }
}

/** Reads what was written as a restore would. */
function faultOf(
  { path }: NewFile,
  { expected, instanceId }: { readonly expected: string; readonly instanceId: Buffer | undefined },
): string | undefined {
  const db = connectRaw({ path, synchronous: 'FULL', busyTimeoutMillis: 0, readonly: true })
  try {
    if (standingOf(db, mainSchema).kind !== 'known') return 'it is none of ours'
    const [fault] = faultsIn(db)
    if (fault !== undefined) return fault
    if (rowCounts(db) !== expected) return 'rows are missing'
    const copied = db.prepare<[], Buffer>('SELECT instance_id FROM meta').pluck().get()
    return instanceId !== undefined && copied?.equals(instanceId) === true
      ? undefined
      : 'it is another database'
  } finally {
    db.close()
  }
}
