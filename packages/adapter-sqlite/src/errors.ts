import { basename } from 'node:path'
import type { StorageError } from '@sotto/core'
import Sqlite from 'better-sqlite3'

/** The connection was closed, or is being closed. */
export const closed: StorageError = { code: 'storage_unavailable', reason: 'closed' }

/** Somebody else holds the lock, or too many writes are waiting. */
export const busy: StorageError = { code: 'storage_unavailable', reason: 'busy' }

const full: StorageError = { code: 'storage_unavailable', reason: 'full' }

/**
 * What a caller is told of something that SQLite or a programmer's mistake threw. `detail` never holds a value: SQLite's messages
 * name tables and columns; of any other error only its name and where it was thrown are told, because messages such as those of
 * `JSON.parse` quote what they were given.
 */
export function storageErrorOf(error: unknown): StorageError {
  if (!(error instanceof Sqlite.SqliteError)) return { code: 'storage_failed', detail: placeOf(error) }
  if (isBusy(error)) return busy
  if (isFull(error)) return full
  return { code: 'storage_failed', detail: `${error.code}: ${error.message}` }
}

/** The same in a few words, for a sentence: the system's code of what the file system refused. */
export function reasonOf(error: unknown): string {
  if (isFileSystemError(error)) return error.code === 'ENOSPC' ? 'the disk is full' : error.code
  const failure = storageErrorOf(error)
  if (failure.code === 'storage_failed') return failure.detail
  return failure.reason === 'full' ? 'the disk is full' : failure.reason
}

/** Whether the file system said it, and not SQLite. */
export function isFileSystemError(
  error: unknown,
): error is NodeJS.ErrnoException & { readonly code: string } {
  return error instanceof Error && 'syscall' in error && 'code' in error && typeof error.code === 'string'
}

/** Whether a lock is in the way that somebody else holds. SQLITE_PROTOCOL is what a long race for the WAL's locks ends with. */
export function isBusy(error: unknown): boolean {
  return hasCode(error, /^SQLITE_(?:BUSY|LOCKED|PROTOCOL)/)
}

/**
 * Whether the disk could not be made to keep what was written. After a failed fsync nobody knows what is on it: the kernel may have
 * dropped the pages and call the next fsync a success (see "fsyncgate", https://lwn.net/Articles/752063/). Only a fresh start, which
 * reads the disk again, is safe.
 */
export function isFatal(error: unknown): boolean {
  return hasCode(error, /^SQLITE_IOERR_(?:DIR_)?FSYNC$/)
}

/** Whether a row refers to a row that is not there. */
export function isForeignKeyFault(error: unknown): boolean {
  return hasCode(error, /^SQLITE_CONSTRAINT_FOREIGNKEY$/)
}

/** Whether the file is none of SQLite's, or torn. A plain SQLITE_ERROR means that a table we made is not there. */
export function isDamaged(error: unknown): boolean {
  return hasCode(error, /^SQLITE_(?:NOTADB|CORRUPT\w*|ERROR)$/)
}

/** A full disk shows as SQLITE_FULL, and as SQLITE_IOERR_SHMSIZE where the WAL's index cannot grow. */
function isFull(error: unknown): boolean {
  return hasCode(error, /^SQLITE_(?:FULL|IOERR_SHMSIZE)$/)
}

function hasCode(error: unknown, codes: RegExp): boolean {
  return error instanceof Sqlite.SqliteError && codes.test(error.code)
}

function placeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'something was thrown that is no error'
  const frame = /^\s+at .*?([^\s(]+:\d+:\d+)\)?$/m.exec(error.stack ?? '')?.[1]
  return frame === undefined ? error.name : `${error.name} at ${basename(frame)}`
}
