import { closeSync, fstatSync, openSync, renameSync, rmSync, statSync, type BigIntStats } from 'node:fs'
import { temporaryPathBeside } from './new-file.ts'
import { systemErrorCode } from './system-error.ts'

/** A lock between processes. */
export interface FileLock {
  /** Whether this process still holds it: after a minute another process may have taken it. */
  isHeld(): boolean
  /** Gives the lock up; does nothing when another process has taken it. */
  release(): void
}

/** A process that has held a lock for longer than this is taken for dead: what is done under a lock takes milliseconds. */
const lockTimeoutMicros = 60 * 1_000_000

/**
 * Takes a lock: a file at `path` that exists while the lock is held. A lock that a crashed process left behind is broken after a minute.
 * `undefined` when another process holds it.
 *
 * @throws the file system's error
 */
export function takeLock(path: string, nowMicros: number): FileLock | undefined {
  const fd = create(path) ?? (breakStale(path, nowMicros) ? create(path) : undefined)
  if (fd === undefined) return undefined
  // While the file is open, no other file gets its inode.
  const { ino } = fstatSync(fd, { bigint: true })
  const isHeld = (): boolean => statsOf(path)?.ino === ino
  return {
    isHeld,
    release() {
      if (isHeld()) rmSync(path, { force: true })
      closeSync(fd)
    },
  }
}

function create(path: string): number | undefined {
  try {
    return openSync(path, 'wx', 0o600)
  } catch (error) {
    if (systemErrorCode(error) === 'EEXIST') return undefined
    throw error
  }
}

/** Removes a lock that is too old. True when the lock may be free now. */
function breakStale(path: string, nowMicros: number): boolean {
  const found = statsOf(path)
  // The lock was released since.
  if (found === undefined) return true
  if (Math.abs(nowMicros - Number(found.mtimeNs / 1_000n)) < lockTimeoutMicros) return false
  // Several processes may get here at the same time. The slower ones must not remove the lock that the fastest has taken.
  const moved = temporaryPathBeside(path, 'lock')
  try {
    renameSync(path, moved)
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return true
    throw error
  }
  const isSame = isSameFile(found, statsOf(moved))
  if (isSame) rmSync(moved, { force: true })
  else renameSync(moved, path)
  return isSame
}

/** A new file may have the inode of one that was removed, but was not modified at the same nanosecond. */
function isSameFile(one: BigIntStats, other: BigIntStats | undefined): boolean {
  return one.ino === other?.ino && one.mtimeNs === other.mtimeNs
}

function statsOf(path: string): BigIntStats | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false })
}
