import { createHash, randomBytes } from 'node:crypto'
import {
  closeSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  linkSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { syncPath } from './sync-path.ts'
import { systemErrorCode } from './system-error.ts'

/** A file under a temporary name, until it is complete. Every method throws the file system's error. */
export interface NewFile {
  /** The temporary path, in the directory of the target. */
  readonly path: string
  /**
   * Gives it the target's name, durably. False when that name is taken; then nothing is changed. When several do this at the same time, one
   * succeeds.
   * @param path instead of the target, in the same directory
   */
  publish(path?: string): boolean
  /**
   * Puts it in the place of the target, durably.
   * @param isAllowed asked at the last moment, when the content is on the disk. When it answers false, nothing is changed
   */
  replace(isAllowed?: () => boolean): boolean
  /** Removes it, and what SQLite may have left beside it, unless it has its target's name by now. */
  discard(): void
}

/** What a new file holds, and whose it is. */
export interface NewFileOptions {
  /** What the file holds. By default nothing: the caller writes to `path`. */
  readonly content?: string | undefined
  /** The owner that the file gets, as the numbers `uid` and `gid`. By default this process's user. */
  readonly owner?: { readonly uid: number; readonly gid: number } | undefined
  /**
   * The caller holds a lock, so that no other process is making a file of the same purpose in this directory. Every temporary file of
   * this purpose is then a leftover, even if a process runs under the id of the one that made it. False by default.
   */
  readonly isLocked?: boolean | undefined
}

const temporaryName =
  /^(?<stem>\.sotto-(?<purpose>.+)-(?<pid>\d+)-(?<machine>[0-9a-f]{8})[0-9a-f]{8}\.tmp)(?:-journal|-wal|-shm)?$/
/** A file that was not written to for an hour is abandoned, unless its process runs here. */
const abandonedMillis = 3_600_000
const sqliteEndings = ['-journal', '-wal', '-shm']

/** What `link` answers where a file system has no hard links, as on many memory sticks. */
const hasNoLinks = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']

/**
 * Creates a file that is to become `target`: beside it, under a temporary name, readable by its owner only (mode 0600). First removes
 * what earlier processes left in that directory; see {@link leftoversIn}.
 *
 * @param purpose part of the temporary name, such as `backup`
 * @throws the file system's error; no new file is left then
 */
export function createNewFile(target: string, purpose: string, options: NewFileOptions = {}): NewFile {
  const directory = dirname(target)
  removeLeftovers(directory, options.isLocked === true ? purpose : undefined)
  const path = temporaryPathBeside(target, purpose)
  writeNew(path, options)
  return {
    path,
    publish(as = target) {
      syncFile(path)
      const isPublished = moveUnlessTaken(path, as)
      if (isPublished) syncPath(directory)
      return isPublished
    },
    replace(isAllowed = () => true) {
      syncFile(path)
      if (!isAllowed()) return false
      renameSync(path, target)
      syncPath(directory)
      return true
    },
    discard() {
      for (const ending of ['', ...sqliteEndings]) rmSync(path + ending, { force: true })
    },
  }
}

/** A path in the directory of `target` that no other file has. What is left there is removed as a leftover. */
export function temporaryPathBeside(target: string, purpose: string): string {
  const machine = thisMachine() ?? randomBytes(4).toString('hex')
  const name = `.sotto-${purpose}-${process.pid}-${machine}${randomBytes(4).toString('hex')}.tmp`
  return join(dirname(target), name)
}

/**
 * The names of temporary files in a directory that no process will finish: their process does not run here, and either it ran here, or
 * nothing has been written to them for an hour. The process id alone proves nothing: in another container, or on another host that shares
 * the directory, the process may well run, and its id means nothing here. But it keeps writing to the file.
 */
export function leftoversIn(directory: string): readonly string[] {
  const found = temporaryFilesIn(directory)
  const touched = new Map<string, number>()
  for (const { name, stem } of found)
    touched.set(stem, Math.max(touched.get(stem) ?? 0, modifiedMillis(join(directory, name))))
  const isOld = (stem: string) => Date.now() - (touched.get(stem) ?? 0) >= abandonedMillis
  return found.flatMap(({ name, stem, pid, machine }) =>
    !isRunning(pid) && (machine === thisMachine() || isOld(stem)) ? [name] : [],
  )
}

/** Removes what {@link leftoversIn} finds. @throws the file system's error */
export function removeLeftovers(directory: string, lockedPurpose?: string): void {
  const locked = temporaryFilesIn(directory).filter(({ purpose }) => purpose === lockedPurpose)
  for (const name of [...leftoversIn(directory), ...locked.map((file) => file.name)])
    rmSync(join(directory, name), { recursive: true, force: true })
}

interface TemporaryFile {
  readonly name: string
  /** The name without what SQLite appends to the names of its files. */
  readonly stem: string
  readonly purpose: string
  readonly pid: number
  /** Where its process runs: {@link thisMachine}. */
  readonly machine: string
}

function temporaryFilesIn(directory: string): readonly TemporaryFile[] {
  return readdirSync(directory).flatMap((name) => {
    const { stem, purpose, pid, machine } = temporaryName.exec(name)?.groups ?? {}
    if (stem === undefined || purpose === undefined || pid === undefined || machine === undefined) return []
    return [{ name, stem, purpose, pid: Number(pid), machine }]
  })
}

/**
 * Where a process id names the same process as here: this start of this system, and this namespace of processes, as eight hexadecimal
 * digits. A namespace has its number for as long as a process is in it. `undefined` where the system is not Linux.
 */
function thisMachine(): string | undefined {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')
    return createHash('sha256')
      .update(boot + readlinkSync('/proc/self/ns/pid'))
      .digest('hex')
      .slice(0, 8)
  } catch {
    return undefined
  }
}

/** When a file was last written to; a file that has just gone was in use, so never too long ago. */
function modifiedMillis(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Infinity
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return systemErrorCode(error) !== 'ESRCH'
  }
}

function writeNew(path: string, { content, owner }: NewFileOptions): void {
  const fd = openSync(path, 'wx', 0o600)
  try {
    // The umask may have taken bits away.
    fchmodSync(fd, 0o600)
    const own = fstatSync(fd)
    if (owner !== undefined && (own.uid !== owner.uid || own.gid !== owner.gid)) {
      fchownSync(fd, owner.uid, owner.gid)
    }
    if (content !== undefined) writeFileSync(fd, content)
  } catch (error) {
    rmSync(path, { force: true })
    throw error
  } finally {
    closeSync(fd)
  }
}

function syncFile(path: string): void {
  const fd = openSync(path, 'r')
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}

function moveUnlessTaken(from: string, to: string): boolean {
  try {
    linkSync(from, to)
    rmSync(from, { force: true })
    return true
  } catch (error) {
    const code = systemErrorCode(error)
    if (code === 'EEXIST') return false
    if (code === undefined || !hasNoLinks.includes(code)) throw error
  }
  // The empty file excludes other processes; a crash in between leaves it.
  if (!takeName(to)) return false
  try {
    renameSync(from, to)
    return true
  } catch (error) {
    rmSync(to, { force: true })
    throw error
  }
}

/** Creates an empty file of this name, unless the name is taken. */
function takeName(path: string): boolean {
  try {
    closeSync(openSync(path, 'wx', 0o600))
    return true
  } catch (error) {
    if (systemErrorCode(error) === 'EEXIST') return false
    throw error
  }
}
