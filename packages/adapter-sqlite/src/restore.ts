import { existsSync, mkdirSync, rmdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type Sqlite from 'better-sqlite3'
import { err, ok, ResultAsync, type Result } from 'neverthrow'
import { openBackup, type BackedUpKey, type BackupFile, type BackupFileError } from './backup-file.ts'
import { connectRaw } from './connection.ts'
import { contentsOf, faultsIn, type Contents } from './contents.ts'
import { copyOnline, type CopyProgress } from './copy-online.ts'
import { createDestroyNotes } from './destroy-notes.ts'
import { isFileSystemError, reasonOf } from './errors.ts'
import { migrate } from './migrations.ts'
import { createNewFile } from './new-file.ts'
import { mainSchema } from './schema.ts'
import { syncPath } from './sync-path.ts'

export type RestoreError =
  | BackupFileError
  /** There is a database, or what SQLite keeps beside one. It was not touched. */
  | { readonly code: 'database_exists'; readonly path: string }
  /** The database cannot be written; nothing is left of it. */
  | { readonly code: 'restore_not_written'; readonly path: string; readonly detail: string }

/** What of an older state is kept. */
export interface RestoreChoices {
  /** Keeps the notes of secrets with an open limit, though opens that were spent since the backup come back. */
  readonly keepLimited: boolean
  /** Keeps access tokens, though some may have been revoked since the backup. */
  readonly keepTokens: boolean
}

export interface RestoreOptions<E> extends RestoreChoices {
  /** The backup. It is not changed. */
  readonly file: string
  /** Where the database is to be. */
  readonly dataDir: string
  readonly nowMicros: number
  /**
   * Judges, before anything is written, whether these keys are at hand. Ok with the kids of those that are; a key that no row of the
   * backup is under need not be.
   */
  readonly checkKeys: (keys: RestoredKeys) => Result<readonly number[], E>
  readonly onProgress?: ((progress: CopyProgress) => void) | undefined
}

export interface RestoredKeys {
  readonly instanceId: Uint8Array
  readonly keys: readonly (BackedUpKey & { readonly isUsed: boolean })[]
}

export interface Restored {
  readonly backedUpAtMicros: number
  /** What was in the backup, judged by the moment of the restore. */
  readonly contents: Contents
  /** Notes that were destroyed because their secrets have an open limit. Drafts keep theirs: no link of theirs was ever opened. */
  readonly destroyedNotes: number
  readonly revokedTokens: number
  /** Expired secrets that were erased. */
  readonly purgedSecrets: number
}

/**
 * Makes the main file out of a backup: checked before anything is written, made under another name, and given its own when it is whole
 * and safe from a power cut. Never takes the place of another file; of several restores at once one succeeds.
 *
 * An older state would bring back opens that were spent and tokens that were revoked since then, so unless told otherwise notes with
 * an open limit are destroyed and all tokens revoked. What has expired is erased.
 */
export function restoreDatabase<E = never>(
  options: RestoreOptions<E>,
): ResultAsync<Restored, RestoreError | E> {
  return new ResultAsync(
    restore({ ...options, file: resolve(options.file), dataDir: resolve(options.dataDir) }),
  )
}

async function restore<E>(options: RestoreOptions<E>): Promise<Result<Restored, RestoreError | E>> {
  const path = join(options.dataDir, 'sotto.sqlite')
  const remains = ['', '-wal', '-shm', '-journal'].map((ending) => path + ending).find(existsSync)
  if (remains !== undefined) return err({ code: 'database_exists', path: remains })
  const opened = openBackup(options.file)
  if (opened.isErr()) return err(opened.error)
  const backup = opened.value
  const directory = makeDirectory(options.dataDir)
  try {
    const atHand = options.checkKeys(keysOf(backup))
    if (atHand.isErr()) return err(atHand.error)
    directory.make()
    return await write(backup, path, options, atHand.value)
  } catch (error) {
    return err({ code: 'restore_not_written', path, detail: reasonOf(error) })
  } finally {
    backup.db.close()
    directory.removeIfEmpty()
  }
}

/** A data directory that is made only when there is something to put there, and not left behind empty. */
function makeDirectory(path: string): { make(): void; removeIfEmpty(): void } {
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

function keysOf({ db, instanceId, keys }: BackupFile): RestoredKeys {
  const used = contentsOf(db, 0).kids
  return { instanceId, keys: keys.map((key) => ({ ...key, isUsed: used.includes(key.kid) })) }
}

/** Throws what the file system and SQLite say. */
async function write<E>(
  { db: source, backedUpAtMicros }: BackupFile,
  path: string,
  options: RestoreOptions<E>,
  kids: readonly number[],
): Promise<Result<Restored, RestoreError>> {
  const copy = createNewFile(path, 'restore')
  try {
    await copyOnline(source, copy.path, options.onProgress)
    const db = connectRaw({ path: copy.path, synchronous: 'FULL', busyTimeoutMillis: 0 })
    try {
      const amended = amend(db, options, kids)
      const [fault] = faultsIn(db)
      if (fault !== undefined) return err({ code: 'restore_not_written', path, detail: fault })
      db.close()
      if (!copy.publish()) return err({ code: 'database_exists', path })
      return ok({ backedUpAtMicros, ...amended })
    } finally {
      db.close()
    }
  } finally {
    copy.discard()
  }
}

type Amended = Omit<Restored, 'backedUpAtMicros'>

/** Makes a database in use out of a backup. */
function amend(
  db: Sqlite.Database,
  { nowMicros, keepLimited, keepTokens }: RestoreChoices & { readonly nowMicros: number },
  kids: readonly number[],
): Amended {
  const pragmas = ['secure_delete = ON', 'foreign_keys = ON', 'trusted_schema = OFF']
  // What is destroyed here goes to no other file: neither to the journal beside this one nor to one in the system's directory. The
  // copy is worth nothing until it is whole.
  for (const pragma of [...pragmas, 'journal_mode = MEMORY', 'temp_store = MEMORY']) db.pragma(pragma)
  migrate(db, mainSchema)
  const change = (sql: string, ...parameters: readonly number[]): number =>
    db.prepare<number[]>(sql).run(...parameters).changes
  return db.transaction(() => {
    const contents = contentsOf(db, nowMicros)
    const purgedSecrets = change('DELETE FROM secrets WHERE expires_at <= ?', nowMicros)
    const destroyedNotes = keepLimited
      ? 0
      : createDestroyNotes(db, 'open_limit > 0 AND expires_at IS NOT NULL')()
    const revokedTokens = keepTokens
      ? 0
      : change(
          'UPDATE access_tokens SET revoked_at = ? WHERE revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)',
          nowMicros,
          nowMicros,
        )
    // A key that was retired since then, and that nothing is under, must not be asked for.
    change(`DELETE FROM keys WHERE kid NOT IN (${kids.map(() => '?').join(', ')})`, ...kids)
    // The clock was good enough to purge by, so sweeping may go on.
    change('UPDATE meta SET backed_up_at = NULL, swept_at = ?', nowMicros)
    return { contents, destroyedNotes, revokedTokens, purgedSecrets }
  })()
}
