import { existsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Backup, BackUpError, BackUpOptions } from '@sotto/core'
import { createNewFile, type NewFile } from '@sotto/system'
import type Sqlite from 'better-sqlite3'
import { err, ok, ResultAsync, type Result } from 'neverthrow'
import { databaseName, refusalOf } from '../tables/main-file.ts'
import { corruptionIn } from '../examine/corruption.ts'
import { connectRaw, setPragmas } from '../connection/connection.ts'
import { reasonOf } from '../connection/errors.ts'
import { stateOf } from '../connection/migrations.ts'
import { openErrorOf, stateErrorOf } from '../connection/open-file.ts'
import { mainSchema } from '../tables/schema.ts'
import { filesName } from '../files/file-store.ts'
import { copyOnline } from './backup-file.ts'
import { contentsOf, rowCounts } from './contents.ts'
import { bytesOfFiles, copyFiles, type DraftEdited } from './copy-files.ts'
import { readFilePart } from './file-part.ts'

/** See `StorageDriver.backUp`. The backup gets its name when it is whole, verified and safe from a power cut. */
export function backUpDatabase({ dataDir, ...options }: Options): ResultAsync<Backup, BackUpError> {
  return new ResultAsync(backUp({ ...options, dataDir: resolve(dataDir), file: resolve(options.file) }))
}

type Options = BackUpOptions & { readonly dataDir: string }

/** How often a backup is begun because drafts are edited that it was about to copy. */
const triesMax = 5

async function backUp(options: Options): Promise<Result<Backup, BackUpError>> {
  const opened = openSource(join(options.dataDir, databaseName))
  if (opened.isErr()) return err(opened.error)
  const source = opened.value
  try {
    for (let tries = 1; ; tries += 1) {
      const written = await writeBackup(source, options)
      if (written.isOk()) return ok(written.value)
      if (written.error.code !== 'draft_edited') return err(written.error)
      if (tries === triesMax) {
        const detail = 'files are removed from drafts all the time'
        return err({ code: 'backup_not_verified', path: options.file, detail })
      }
    }
  } catch (error) {
    return err({ code: 'backup_not_written', path: options.file, detail: reasonOf(error) })
  } finally {
    source.close()
  }
}

/** Opens the database without changing it: it is not even migrated. */
function openSource(path: string): Result<Sqlite.Database, BackUpError> {
  let db: Sqlite.Database | undefined
  try {
    const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
    if (size === 0) return err({ code: 'database_missing', location: path })
    const connection = { path, synchronous: 'FULL', busyTimeoutMillis: 10_000 } as const
    db = connectRaw(connection)
    const state = stateOf(db, mainSchema)
    const error = state.kind === 'known' ? refusalOf(db, path) : stateErrorOf(state, mainSchema, path)
    if (state.kind === 'known' && error === undefined) {
      setPragmas(db, connection)
      return ok(db)
    }
    db.close()
    return err(error ?? { code: 'database_foreign', location: path })
  } catch (error) {
    db?.close()
    return err(openErrorOf(error, path))
  }
}

/** @throws the errors of the file system and of SQLite */
async function writeBackup(
  source: Sqlite.Database,
  { dataDir, file, nowMicros, onProgress = () => undefined }: Options,
): Promise<Result<Backup, BackUpError | DraftEdited>> {
  if (existsSync(file)) return err({ code: 'backup_exists', path: file })
  const copy = createNewFile(file, 'backup')
  try {
    // This connection sees the state of this time from here on, however long the copying takes.
    source.exec('BEGIN')
    const original = { rows: rowCounts(source), instanceId: instanceIdIn(source) }
    const contents = contentsOf(source, nowMicros)
    const directory = join(dataDir, filesName)
    const contentBytes = await bytesOfFiles(source, directory)
    let totalBytes = contentBytes
    await copyOnline(source, copy.path, (progress) => {
      totalBytes = progress.totalBytes + contentBytes
      onProgress({ ...progress, totalBytes })
    })
    source.exec('COMMIT')
    finish(copy, nowMicros)
    const difference = differenceFrom(original, copy)
    if (difference !== undefined) return err({ code: 'backup_not_verified', path: file, detail: difference })
    const databaseBytes = statSync(copy.path).size
    const copied = await copyFiles({
      ...{ live: source, copy: copy.path, directory, file },
      onCopied: (bytes) => onProgress({ copiedBytes: totalBytes - contentBytes + bytes, totalBytes }),
    })
    if (copied.isErr()) return err(copied.error)
    const part = await readFilePart(copy.path, databaseBytes)
    if (part.isErr()) return err({ code: 'backup_not_verified', path: file, detail: part.error })
    const { size: bytes } = statSync(copy.path)
    if (!copy.publish()) return err({ code: 'backup_exists', path: file })
    const files = { files: part.value.contents.size, fileBytes: part.value.bytes }
    return ok({
      ...{ bytes, backedUpAtMicros: nowMicros, contents: { ...contents, ...files } },
      missingFiles: copied.value,
    })
  } finally {
    if (source.inTransaction) source.exec('ROLLBACK')
    copy.discard()
  }
}

function instanceIdIn(db: Sqlite.Database): Buffer | undefined {
  return db.prepare<[], Buffer>('SELECT instance_id FROM meta').pluck().get()
}

/** Makes one file of the copy, and records that and when it was made as a backup. */
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

/** Reads what was written as a restore would; `undefined` when it is the same. */
function differenceFrom(
  { rows, instanceId }: { readonly rows: string; readonly instanceId: Buffer | undefined },
  { path }: NewFile,
): string | undefined {
  const db = connectRaw({ path, synchronous: 'FULL', busyTimeoutMillis: 0, readonly: true })
  try {
    if (stateOf(db, mainSchema).kind !== 'known') return 'it is not a database of this service'
    const [corruption] = corruptionIn(db)
    if (corruption !== undefined) return corruption
    if (rowCounts(db) !== rows) return 'rows are missing'
    const isSame = instanceId !== undefined && instanceIdIn(db)?.equals(instanceId) === true
    return isSame ? undefined : 'it is another database'
  } finally {
    db.close()
  }
}
