import { closeSync, fsyncSync, mkdirSync, openSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { systemErrorCode } from './system-error.ts'

/** The directory may not be read, or its file system has no fsync for directories. */
const unsyncable = ['EACCES', 'EPERM', 'EINVAL', 'EROFS', 'ENOTSUP', 'EOPNOTSUPP']

/**
 * Makes a directory durable: the names in it, its own name, and those of all directories above it. An fsync of a file says nothing about
 * the directories that lead to it (fsync(2)). Directories that cannot be synced are skipped: a directory that this process may not read
 * is not one in which it has just created a name.
 *
 * @throws the file system's error, such as EIO, when a directory can be synced but syncing fails
 */
export function syncPath(directory: string): void {
  let path = resolve(directory)
  for (let child = ''; path !== child; path = dirname(path)) {
    syncDirectory(path)
    child = path
  }
}

/**
 * Creates a directory that only its owner can use (mode 0700), and those above it that are missing, durably. An existing one is not
 * changed.
 *
 * @throws the file system's error
 */
export function makePrivateDirectory(path: string): void {
  const firstCreated = mkdirSync(path, { recursive: true, mode: 0o700 })
  if (firstCreated !== undefined) syncPath(path)
}

function syncDirectory(path: string): void {
  let fd: number | undefined
  try {
    fd = openSync(path, 'r')
    fsyncSync(fd)
  } catch (error) {
    if (!unsyncable.includes(systemErrorCode(error) ?? '')) throw error
  } finally {
    if (fd !== undefined) closeSync(fd)
  }
}
