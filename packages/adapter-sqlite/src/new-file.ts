import { randomBytes } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { syncPath } from './sync-path.ts'

/** A file that is being made and has a name of its own until it is whole. */
export interface NewFile {
  /** Where it is made: in the directory that it is meant for. Readable by its owner alone. */
  readonly path: string
  /**
   * Gives it the name that it is meant for, durably. False when there is something of that name by now; then nothing is changed.
   * Throws what the file system says.
   */
  publish(): boolean
  /** Takes it away, unless it was published. */
  discard(): void
}

const temporaryName = /^\.sotto-(?:backup|restore)-(\d+)-[0-9a-f]{16}\.tmp(?:-journal|-wal|-shm)?$/

/** Makes an empty file that is to become `target`. Throws what the file system says. */
export function createNewFile(target: string, purpose: 'backup' | 'restore'): NewFile {
  const directory = dirname(target)
  removeLeftovers(directory)
  const name = `.sotto-${purpose}-${process.pid}-${randomBytes(8).toString('hex')}.tmp`
  const path = join(directory, name)
  closeSync(openSync(path, 'wx', 0o600))
  return {
    path,
    publish() {
      syncFile(path)
      const published = renameUnlessThere(path, target)
      if (published) syncPath(directory)
      return published
    },
    discard() {
      for (const ending of ['', '-journal', '-wal', '-shm']) rmSync(path + ending, { force: true })
    },
  }
}

/** The names of what processes that are gone have left behind in a directory. */
export function leftoversIn(directory: string): readonly string[] {
  return readdirSync(directory).filter((name) => {
    const pid = temporaryName.exec(name)?.[1]
    return pid !== undefined && !isRunning(Number(pid))
  })
}

function removeLeftovers(directory: string): void {
  for (const name of leftoversIn(directory)) rmSync(join(directory, name), { force: true })
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH')
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

/** Of several processes that do this at once one succeeds. */
function renameUnlessThere(from: string, to: string): boolean {
  try {
    linkSync(from, to)
    rmSync(from, { force: true })
    return true
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'EEXIST') return false
    // File systems of memory sticks know no links.
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'EOPNOTSUPP' && code !== 'ENOSYS') throw error
  }
  if (existsSync(to)) return false
  renameSync(from, to)
  return true
}
