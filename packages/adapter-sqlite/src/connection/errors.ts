import { basename } from 'node:path'
import type { StorageError } from '@sotto/core'
import Sqlite from 'better-sqlite3'

/** Thrown by a closer check of a file that could be opened. */
export class FileCorrupted extends Error {
  override readonly name = 'FileCorrupted'
}

/** A later version has changed the tables while this process had the file open. */
export const migrated: StorageError = {
  code: 'storage_failed',
  detail: 'a later version of the program has migrated the database',
}

/** Nobody would find what is written to the open file. */
export const moved = {
  code: 'storage_unavailable',
  reason: 'moved',
  detail: 'a file of it was moved, replaced or removed',
} as const

/** The error {@link moved}, noticed after a commit: when the file comes back, so does what was written. */
export const movedMeanwhile = { ...moved, reason: 'outcome_unknown' } as const

/** The connection was closed, or is being closed. */
export const closed = { code: 'storage_unavailable', reason: 'closed' } as const

/** Another connection holds the lock, or too many writes are waiting. */
export const busy: StorageError = { code: 'storage_unavailable', reason: 'busy' }

const full: StorageError = { code: 'storage_unavailable', reason: 'full' }

/**
 * The storage error for something that SQLite or a programming mistake threw. `detail` never holds a value: SQLite's messages name tables
 * and columns; of any other error it has only the name and the place, because messages such as those of `JSON.parse` quote their input.
 */
export function storageErrorOf(error: unknown): StorageError {
  if (!(error instanceof Sqlite.SqliteError)) return { code: 'storage_failed', detail: placeOf(error) }
  if (isBusy(error)) return busy
  if (isFull(error)) return full
  const detail = `${error.code}: ${error.message}`
  if (hasDiskFailed(error)) return { code: 'storage_unavailable', reason: 'disk_failed', detail }
  return { code: 'storage_failed', detail }
}

/** The error in a few words, for a sentence; the code, if the error is the file system's. */
export function reasonOf(error: unknown): string {
  if (isFileSystemError(error)) return error.code === 'ENOSPC' ? 'the disk is full' : error.code
  return isFull(error) ? 'the disk is full' : reasonOfStorageError(storageErrorOf(error))
}

/** What a storage error says about its cause, for a sentence. */
export function reasonOfStorageError(error: StorageError): string {
  return error.code === 'storage_failed' ? error.detail : (error.detail ?? error.reason)
}

/** Whether the error comes from the file system rather than from SQLite. */
export function isFileSystemError(
  error: unknown,
): error is NodeJS.ErrnoException & { readonly code: string } {
  return error instanceof Error && 'syscall' in error && 'code' in error && typeof error.code === 'string'
}

/** Whether another connection holds a lock. SQLITE_PROTOCOL is how a long race for the locks of the WAL ends. */
export function isBusy(error: unknown): boolean {
  return hasCode(error, /^SQLITE_(?:BUSY|LOCKED|PROTOCOL)/)
}

/**
 * Whether the disk failed to keep what was written. After a failed fsync the state of the disk is unknown: the kernel may have dropped the
 * pages and report the next fsync as a success (see "fsyncgate", https://lwn.net/Articles/752063/). Only a fresh start, which reads the
 * disk again, is safe.
 */
export function isFatal(error: unknown): boolean {
  return hasCode(error, /^SQLITE_IOERR_(?:DIR_)?FSYNC$/)
}

/** Whether a row refers to a row that does not exist. */
export function isForeignKeyError(error: unknown): boolean {
  return hasCode(error, /^SQLITE_CONSTRAINT_FOREIGNKEY$/)
}

/** Whether the file is no SQLite database, or is torn. A plain SQLITE_ERROR means that one of our tables does not exist. */
export function isCorrupted(error: unknown): boolean {
  return hasCode(error, /^SQLITE_(?:NOTADB|CORRUPT\w*|ERROR)$/)
}

/** A full disk shows as SQLITE_FULL, and as SQLITE_IOERR_SHMSIZE where the WAL's index cannot grow. */
function isFull(error: unknown): boolean {
  return hasCode(error, /^SQLITE_(?:FULL|IOERR_SHMSIZE)$/)
}

/** Whether the disk refused a read or a write, or is read-only by now, as file systems become after an error. Nothing was committed then. */
function hasDiskFailed(error: unknown): boolean {
  return !isFatal(error) && hasCode(error, /^SQLITE_(?:IOERR|READONLY)/)
}

function hasCode(error: unknown, codes: RegExp): boolean {
  return error instanceof Sqlite.SqliteError && codes.test(error.code)
}

function placeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'a value was thrown that is not an Error'
  const frame = (error.stack ?? '')
    .split('\n')
    .find((line) => /^ +at /.test(line) && /:\d+:\d+\)?$/.test(line))
  const place = frame?.split(/[ (]/).at(-1)?.replace(')', '')
  return place === undefined ? error.name : `${error.name} at ${basename(place)}`
}
