import { existsSync, mkdirSync, rmdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Restored, RestoreError, RestoreOptions, Uuid } from '@sotto/core'
import { createNewFile, syncPath } from '@sotto/system'
import type Sqlite from 'better-sqlite3'
import { err, ok, ResultAsync, type Result } from 'neverthrow'
import { databaseName } from '../tables/main-file.ts'
import { corruptionIn } from '../examine/corruption.ts'
import { connectRaw } from '../connection/connection.ts'
import { isFileSystemError, reasonOf } from '../connection/errors.ts'
import { migrate } from '../connection/migrations.ts'
import { recountFiles } from '../files/recount.ts'
import { mainSchema } from '../tables/schema.ts'
import { uuidBytes } from '../engine/codec.ts'
import { createDestroyNotes } from '../secrets/secret-rows.ts'
import { copyOnline, openBackup, type BackupFile } from './backup-file.ts'
import { contentsOf, usableTokens } from './contents.ts'
import { readFilePart, type FilePart } from './file-part.ts'
import { neededFiles } from './needed-files.ts'
import { restoredFiles } from './restore-files.ts'

type Options<E> = RestoreOptions<E> & {
  /** Where the database will be. The directory is created if it does not exist. */
  readonly dataDir: string
}

/** See `StorageDriver.restore`. The database is made under another name, and gets its own when it is whole and safe from a power cut. */
export function restoreDatabase<E = never>(options: Options<E>): ResultAsync<Restored, RestoreError | E> {
  return new ResultAsync(
    restore({ ...options, file: resolve(options.file), dataDir: resolve(options.dataDir) }),
  )
}

async function restore<E>(options: Options<E>): Promise<Result<Restored, RestoreError | E>> {
  const location = join(options.dataDir, databaseName)
  const existing = ['', '-wal', '-shm', '-journal'].map((ending) => location + ending).find(existsSync)
  if (existing !== undefined) return err({ code: 'database_exists', location: existing })
  const opened = openBackup(options.file)
  if (opened.isErr()) return err(opened.error)
  const backup = opened.value
  const directory = newDirectory(options.dataDir)
  try {
    const part = await readFiles(backup, options.file)
    if (part.isErr()) return err(part.error)
    const { instanceId, keys } = backup
    const available = options.checkKeys({ instanceId, keys })
    if (available.isErr()) return err(available.error)
    directory.make()
    return await write({ ...backup, part: part.value }, location, options, available.value)
  } catch (error) {
    return err({ code: 'restore_not_written', location, detail: reasonOf(error) })
  } finally {
    backup.db.close()
    directory.removeIfEmpty()
  }
}

/** The contents of files that a backup has: all that its rows need, but for those that were dropped while it was made, or missing. */
async function readFiles(
  { db, databaseBytes }: BackupFile,
  path: string,
): Promise<Result<FilePart, RestoreError>> {
  try {
    const part = await readFilePart(path, databaseBytes)
    if (part.isErr()) return err({ code: 'backup_damaged', path, detail: part.error })
    const { contents, gone, missing } = part.value
    const dropped = new Set(gone)
    for (const { id } of neededFiles(db)) {
      if (contents.has(id) || dropped.has(id) || missing.has(id)) continue
      return err({ code: 'backup_damaged', path, detail: `the content of file ${id} is missing` })
    }
    return ok(part.value)
  } catch (error) {
    return err({ code: 'backup_unreadable', path, detail: reasonOf(error) })
  }
}

/** A data directory that is made only when there is something to put into it, and not left behind empty. */
function newDirectory(path: string): { make(): void; removeIfEmpty(): void } {
  let made: string | undefined
  return {
    make() {
      made = mkdirSync(path, { recursive: true, mode: 0o700 })
      if (made !== undefined) syncPath(path)
    },
    removeIfEmpty() {
      if (made === undefined) return
      try {
        for (let empty = path; empty.length >= made.length; empty = dirname(empty)) rmdirSync(empty)
      } catch (error) {
        if (!isFileSystemError(error)) throw error
      }
    },
  }
}

/** @throws the errors of the file system and of SQLite */
async function write<E>(
  { db: source, backedUpAtMicros, part }: BackupFile & { readonly part: FilePart },
  location: string,
  options: RestoreOptions<E>,
  kids: readonly number[],
): Promise<Result<Restored, RestoreError>> {
  const { onProgress = () => undefined } = options
  const copy = createNewFile(location, 'restore')
  const files = restoredFiles(options.file, part, location)
  try {
    let databaseBytes = 0
    await copyOnline(source, copy.path, ({ copiedBytes, totalBytes }) => {
      databaseBytes = totalBytes
      onProgress({ copiedBytes, totalBytes: totalBytes + part.bytes })
    })
    const db = connectRaw({ path: copy.path, synchronous: 'FULL', busyTimeoutMillis: 0 })
    try {
      const { contents, ...amended } = amend(db, options, kids, part)
      const [corruption] = corruptionIn(db)
      if (corruption !== undefined) return err({ code: 'restore_not_written', location, detail: corruption })
      const needed = [...neededFiles(db)]
      const missing = needed.filter(({ id }) => part.missing.has(id))
      const restored = needed.flatMap(({ id }) => (part.missing.has(id) ? [] : [id]))
      db.close()
      await files.write(restored, (bytes) =>
        onProgress({ copiedBytes: databaseBytes + bytes, totalBytes: databaseBytes + part.bytes }),
      )
      await files.publish()
      if (!copy.publish()) return err({ code: 'database_exists', location })
      const held = { ...contents, files: part.contents.size, fileBytes: part.bytes }
      return ok({
        ...{ backedUpAtMicros, contents: held, ...amended, restoredFiles: restored.length },
        missingFiles: missing.map(({ id, secretId }) => ({ id, secretId })),
      })
    } finally {
      db.close()
    }
  } finally {
    copy.discard()
    await files.end()
  }
}

type Amended = Omit<Restored, 'backedUpAtMicros' | 'contents' | 'restoredFiles' | 'missingFiles'> & {
  readonly contents: ReturnType<typeof contentsOf>
}

/** Tables whose rows mean nothing once time has passed, or would admit somebody who was signed out since. */
const forgotten = [
  ...[
    'sessions',
    'welcomes',
    'email_changes',
    'sign_in_attempts',
    'known_addresses',
    'file_tickets',
    'file_uploads',
  ],
]

/** Turns the copy of a backup into a database that can be used. */
function amend<E>(
  db: Sqlite.Database,
  { nowMicros, keepLimited, keepTokens }: RestoreOptions<E>,
  kids: readonly number[],
  { gone, contents: fileContents }: FilePart,
): Amended {
  const pragmas = ['secure_delete = ON', 'foreign_keys = ON', 'trusted_schema = OFF']
  // What is destroyed here must not get into another file: neither into a journal beside this one nor into the system's temporary
  // directory. The copy is worth nothing until it is whole.
  for (const pragma of [...pragmas, 'journal_mode = MEMORY', 'temp_store = MEMORY']) db.pragma(pragma)
  migrate(db, mainSchema)
  const change = (sql: string, ...parameters: readonly number[]): number =>
    db.prepare<number[]>(sql).run(...parameters).changes
  return db.transaction(() => {
    const contents = contentsOf(db, nowMicros)
    letGo(db, gone)
    const erasedSecrets = change('DELETE FROM secrets WHERE expires_at <= ?', nowMicros)
    const destroyedNotes = keepLimited
      ? 0
      : createDestroyNotes(db, 'open_limit IS NOT NULL AND expires_at IS NOT NULL')()
    change('DELETE FROM requests WHERE closes_at <= ?', nowMicros)
    const closedRequests = keepLimited
      ? 0
      : change('UPDATE requests SET closed_at = ? WHERE closed_at IS NULL', nowMicros)
    const revokedTokens = keepTokens ? 0 : revokeTokens(db, nowMicros)
    // Browsers that were signed in and one-time links that were used since are no longer known, nor are the attempts to sign in.
    for (const table of forgotten) change(`DELETE FROM ${table}`)
    recountFiles(db, (id) => fileContents.get(id)?.length)
    // Messages, with the targets all deliveries to them, may have been sent since the backup, and would be sent again.
    for (const table of ['outbox', 'targets']) change(`DELETE FROM ${table}`)
    // The first failure after a restore could otherwise be the one that disables a webhook: it has not failed all the time since.
    change('UPDATE webhooks SET failing_since = NULL WHERE disabled_at IS NULL')
    // A key that was retired since the backup, and that no row is under, must not be asked for.
    change(`DELETE FROM keys WHERE kid NOT IN (${kids.map(() => '?').join(', ')})`, ...kids)
    // The clock was trusted to erase by, so sweeping may continue.
    change('UPDATE meta SET backed_up_at = NULL, swept_at = ?', nowMicros)
    return { contents, destroyedNotes, closedRequests, revokedTokens, erasedSecrets }
  })()
}

/** Erases the drafts of files, and destroys the notes of their secrets: they were erased while the backup was made. */
function letGo(db: Sqlite.Database, files: readonly Uuid[]): void {
  const secret = 'id = (SELECT secret_id FROM files WHERE id = ?)'
  const eraseDraft = db.prepare<[Buffer]>(`DELETE FROM secrets WHERE expires_at IS NULL AND ${secret}`)
  const destroyNote = createDestroyNotes(db, secret)
  for (const id of files.map(uuidBytes)) {
    eraseDraft.run(id)
    destroyNote(id)
  }
}

/** Revokes the tokens that are accepted, and returns how many. */
function revokeTokens(db: Sqlite.Database, nowMicros: number): number {
  const revoke = db.prepare<[number, number]>('UPDATE access_tokens SET revoked_at = ? WHERE rowid = ?')
  const usable = usableTokens(db, nowMicros)
  for (const rowid of usable) revoke.run(nowMicros, rowid)
  return usable.length
}
