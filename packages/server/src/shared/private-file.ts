import { closeSync, fstatSync, lstatSync, openSync, readFileSync } from 'node:fs'
import { isAnotherUsers, isMountedReadOnly, isPrivateMode } from '@sotto/system'

/** A file that only its owner should have access to. */
export interface PrivateFile {
  /** What is in it; `undefined` when its mode gives other users any right to it. */
  readonly text: string | undefined
  /** False for a directory, a device or a pipe. */
  readonly isRegular: boolean
  /** Whether the file, or the symbolic link to it, belongs to neither root nor the user of this process. */
  readonly isAnotherUsers: boolean
}

/**
 * @param options.mayBeMounted whether others may read it by its mode where it is mounted read-only: see {@link isMountedReadOnly}
 * @throws the file system's error
 */
export function readPrivateFile(path: string, { mayBeMounted = false } = {}): PrivateFile {
  const file = openSync(path, 'r')
  try {
    const stats = fstatSync(file)
    const isPrivate = isPrivateMode(stats) || (mayBeMounted && isMountedReadOnly(path, stats))
    return {
      text: isPrivate ? readFileSync(file, 'utf8') : undefined,
      isRegular: stats.isFile(),
      isAnotherUsers: [stats, lstatSync(path)].some(isAnotherUsers),
    }
  } finally {
    closeSync(file)
  }
}

/** What is wrong with a file whose mode gives others a right to it, as the rest of a sentence about it. */
export function exposureText({ isRegular }: Pick<PrivateFile, 'isRegular'>): string {
  return isRegular
    ? 'can be read or changed by other users: run chmod 600 on it, or mount it with mode 0400 for this user'
    : 'is no regular file, and can be read or changed by other users: use a file with mode 0600'
}

/** Editors on Windows put a byte order mark in front of a text. */
export function withoutByteOrderMark(text: string): string {
  return text.replace(/^\ufeff/, '')
}
