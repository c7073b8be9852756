import { closeSync, fsyncSync, lstatSync, mkdirSync, openSync, readlinkSync, realpathSync } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { systemErrorCode } from './system-error.ts'

/** The directory may not be read, or its file system has no fsync for directories. */
const unsyncable = ['EACCES', 'EPERM', 'EINVAL', 'EROFS', 'ENOTSUP', 'EOPNOTSUPP']

/**
 * Makes a directory (or file) durable: what is in it, its own name, and those of all directories that lead to it. An fsync of a file says
 * nothing about the directories that lead to it (fsync(2)). For a symbolic link these are the directories of the link and those of its
 * target. What cannot be synced is skipped: a directory that this process may not read is not one in which it has just created a name.
 *
 * @throws the file system's error, such as EIO, when a directory can be synced but syncing fails
 */
export function syncPath(path: string): void {
  for (const each of leadingTo(resolve(path), new Set())) sync(each)
}

/**
 * Does what {@link syncPath} does without blocking the event loop: an fsync takes tens of milliseconds on a busy disk. Rejects where that
 * throws.
 */
export async function syncPathAsync(path: string): Promise<void> {
  for (const each of leadingTo(resolve(path), new Set())) await syncAsync(each)
}

/** Adds a path, all directories above it, and those above the target of each symbolic link among them. */
function leadingTo(path: string, found: Set<string>): ReadonlySet<string> {
  if (found.has(path)) return found
  found.add(path)
  const parent = dirname(path)
  leadingTo(parent, found)
  const target = linkTargetOf(path)
  if (target !== undefined) leadingTo(resolve(realpathSync(parent), target), found)
  return found
}

function linkTargetOf(path: string): string | undefined {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : undefined
  } catch (error) {
    if (unsyncable.includes(systemErrorCode(error) ?? '')) return undefined
    throw error
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

function sync(path: string): void {
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

async function syncAsync(path: string): Promise<void> {
  let file: FileHandle | undefined
  try {
    file = await open(path, 'r')
    await file.sync()
  } catch (error) {
    if (!unsyncable.includes(systemErrorCode(error) ?? '')) throw error
  } finally {
    await file?.close()
  }
}
