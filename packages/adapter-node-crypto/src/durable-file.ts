import { randomBytes } from 'node:crypto'
import {
  closeSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** Whoever holds a lock for longer than this is gone: what is done under it takes milliseconds. */
const lockTimeoutMicros = 60 * 1_000_000

/**
 * Writes `text` to a new file beside `path`, readable by its owner alone and safe from a power cut, and returns its name.
 *
 * @param owner to whom it shall belong when that is somebody else than this process's user
 */
export function writeBeside(
  path: string,
  text: string,
  owner?: { readonly uid: number; readonly gid: number },
): string {
  const temporary = `${path}.${randomBytes(8).toString('hex')}.tmp`
  const fd = openSync(temporary, 'wx', 0o600)
  try {
    fchmodSync(fd, 0o600)
    const own = fstatSync(fd)
    if (owner !== undefined && (own.uid !== owner.uid || own.gid !== owner.gid)) {
      fchownSync(fd, owner.uid, owner.gid)
    }
    writeFileSync(fd, text)
    fsyncSync(fd)
    return temporary
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  } finally {
    closeSync(fd)
  }
}

/** Makes the names in a directory safe from a power cut. */
export function syncDirectory(path: string): void {
  const fd = openSync(path, 'r')
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}

/** Makes a directory for its owner alone, with what leads to it, safe from a power cut. One that is there stays as it is. */
export function makePrivateDirectory(path: string): void {
  const first = mkdirSync(path, { recursive: true, mode: 0o700 })
  if (first === undefined) return
  for (let made = path; made.length >= first.length; made = dirname(made)) syncDirectory(dirname(made))
}

/** Erases what {@link writeBeside} left behind when it was cut off. */
export function removeLeftovers(path: string): void {
  const directory = dirname(path)
  const prefix = `${basename(path)}.`
  for (const name of readdirSync(directory)) {
    const isLeftover = name.startsWith(prefix) && /^[0-9a-f]{16}\.tmp$/.test(name.slice(prefix.length))
    if (isLeftover) rmSync(join(directory, name), { force: true })
  }
}

/** A lock that other processes see. */
export interface FileLock {
  /** Whether it is still held: after a minute another process may have taken it. */
  isHeld(): boolean
  release(): void
}

/**
 * Takes the lock `path`: a file that exists while it is held. A lock that a crash left behind is broken once it is old enough.
 * `undefined` when another process holds it.
 */
export function takeLock(path: string, nowMicros: number): FileLock | undefined {
  const fd = openAnew(path) ?? (removeStale(path, nowMicros) ? openAnew(path) : undefined)
  if (fd === undefined) return undefined
  // As long as the file is open, no other one gets its inode.
  const { ino } = fstatSync(fd)
  const isHeld = (): boolean => statSync(path, { throwIfNoEntry: false })?.ino === ino
  return {
    isHeld,
    release() {
      if (isHeld()) rmSync(path, { force: true })
      closeSync(fd)
    },
  }
}

function openAnew(path: string): number | undefined {
  try {
    return openSync(path, 'wx', 0o600)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return undefined
    throw error
  }
}

function removeStale(path: string, nowMicros: number): boolean {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats !== undefined && Math.abs(nowMicros - stats.mtimeMs * 1_000) < lockTimeoutMicros) return false
  rmSync(path, { force: true })
  return true
}
