import { statSync, type BigIntStats } from 'node:fs'
import type { Timers } from './timers.ts'

/** Where an open database is: its file, and beside it the write-ahead log and the index of the log. */
export interface Place {
  /** Whether the path of the file still leads to the open one. */
  isSameFile(): boolean
  /** Whether all three paths do, so that others find what is written. */
  isIntact(): boolean
  /** Whether the file is the open one, and nobody has begun another log or index: what the open log holds belongs into the file. */
  isOurs(): boolean
}

interface PlaceOptions {
  readonly path: string
  /** The path without symbolic links. */
  readonly realPath: string
  /** What {@link identityOf} the path was before it was opened. */
  readonly identity: string | undefined
  readonly timers: Timers
  /** How old what {@link Place.isIntact} answers may be. At 0 it always looks, which takes six microseconds. */
  readonly maxAgeMillis: number
  /** Called with the path when {@link Place.isIntact} first finds one that leads elsewhere; again only after all led back. */
  readonly onMoved: (path: string) => void
}

/**
 * Watches the files of a database that is open, and whose log exists therefore. SQLite goes on writing to files that were moved, replaced
 * or removed. Then what it commits is lost, or does harm, when others open the database by its path:
 *
 * - The file: they find another one, or none.
 * - The log, which holds the latest commits: they do not find them, or find commits that belong to another file.
 * - The index, which holds the locks: they make another one, and two processes write at the same time.
 *
 * SQLite removes log and index when the last connection is closed, never before. A file that is overwritten in place stays the same file,
 * so that is not noticed.
 */
export function watchPlace({ path, realPath, identity, timers, maxAgeMillis, onMoved }: PlaceOptions): Place {
  const file: Watched = { path, identity }
  const beside = ['-wal', '-shm'].map((ending) => asItIs(realPath + ending))
  const files = [file, ...beside]
  let wasIntact = true
  let lookedAtMillis = -Infinity
  return {
    isSameFile: () => isSame(file),
    isIntact() {
      const nowMillis = timers.nowMillis()
      if (nowMillis - lookedAtMillis < maxAgeMillis) return wasIntact
      lookedAtMillis = nowMillis
      const moved = files.find((each) => !isSame(each))
      if (moved !== undefined && wasIntact) onMoved(moved.path)
      wasIntact = moved === undefined
      return wasIntact
    },
    isOurs: () => isSame(file) && beside.every((each) => isSame(each) || identityOf(each.path) === undefined),
  }
}

/** A path, and which file it led to. */
export type Watched = Pick<PlaceOptions, 'path' | 'identity'>

function asItIs(path: string): Watched {
  return { path, identity: identityOf(path) }
}

function isSame({ path, identity }: Watched): boolean {
  return identity !== undefined && identityOf(path) === identity
}

const statOptions = { bigint: true, throwIfNoEntry: false } as const

/** The device and the inode; `undefined` when the path leads to no file. */
export function identityOf(path: string): string | undefined {
  let stats: BigIntStats | undefined
  try {
    stats = statSync(path, statOptions)
  } catch {
    // A directory on the way is gone, or is none any more.
  }
  return stats && `${stats.dev}/${stats.ino}`
}
