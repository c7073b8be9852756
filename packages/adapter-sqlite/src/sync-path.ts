import { closeSync, fsyncSync, openSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/**
 * Makes the names in a directory safe from a power cut, and its own name, and those of all directories above it: an fsync of a file
 * promises nothing about the directories that lead to it (fsync(2)). Throws what the file system says of a directory that it can open.
 */
export function syncPath(directory: string): void {
  let path = resolve(directory)
  for (let child = ''; path !== child; path = dirname(path)) {
    syncDirectory(path)
    child = path
  }
}

/** A directory that may not be read is none that this process has just made a name in; some file systems sync no directory. */
function syncDirectory(path: string): void {
  let fd: number | undefined
  try {
    fd = openSync(path, 'r')
    fsyncSync(fd)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (!['EACCES', 'EPERM', 'EINVAL', 'EROFS', 'ENOTSUP', 'EOPNOTSUPP'].includes(code)) throw error
  } finally {
    if (fd !== undefined) closeSync(fd)
  }
}
