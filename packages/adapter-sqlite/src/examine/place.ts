import { existsSync, lstatSync, readdirSync, statfsSync, statSync, type StatsFs } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Finding } from '@sotto/core'
import { directoryFaults, leftoversIn, sizeText } from '@sotto/system'
import { reasonOf } from '../connection/errors.ts'
import { filesName } from '../files/file-store.ts'
import { bad, good } from '../connection/finding.ts'

/** Checks the data directory and the disk that it is on. Changes nothing, and needs no directory to exist. */
export function examinePlace(dataDir: string): readonly Finding[] {
  return [...checkDirectory(dataDir), checkDisk(dataDir)]
}

const directory = 'data directory'
const ourFiles = /^(?:sotto|quota)\.sqlite(?:-wal|-shm|-journal|\.corrupted)?$/

/** Checks that the directory and its files are accessible to their owner alone, and that nothing is there that does not belong. */
function checkDirectory(path: string): readonly Finding[] {
  try {
    const stats = statSync(path, { throwIfNoEntry: false })
    if (stats === undefined) return [good(directory, `${path} is not there yet: the first start makes it`)]
    if (!stats.isDirectory()) return [bad(directory, `${path} is no directory: see SOTTO_DATA_DIR`)]
    const faults = directoryFaults(path).map(({ text }) => bad(directory, text))
    const exposed = faults.length === 0 && isExposed(path) ? [bad(directory, exposedText(path))] : []
    const findings = [...faults, ...exposed, ...exposedIn(path), ...checkContents(path), ...strayIn(path)]
    return findings.length > 0 ? findings : [good(directory, `${path} is its owner's alone`)]
  } catch (error) {
    return [bad(directory, `${path} cannot be read (${reasonOf(error)})`)]
  }
}

function exposedText(path: string): string {
  return `${path} is open to others: use a directory of its own, with mode 0700`
}

function exposedIn(path: string): readonly Finding[] {
  const exposed = readdirSync(path).filter((name) => ourFiles.test(name) && isExposed(join(path, name)))
  return exposed.map((name) => bad(directory, `${name} is open to others: ${remedyFor(join(path, name))}`))
}

/** Checks the directory of the contents of files: its mode protects those that are below it. */
function checkContents(path: string): readonly Finding[] {
  const contents = join(path, filesName)
  const faults = directoryFaults(contents).map(({ text }) => bad(directory, text))
  if (faults.length > 0 || !isExposed(contents)) return faults
  return [bad(directory, `${filesName} is open to others: chmod 700 ${contents}`)]
}

function isExposed(path: string): boolean {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0
  return (mode & 0o077) !== 0
}

/** A change of the mode of anything else could harm others: a link leads to what may not be ours. */
function remedyFor(path: string): string {
  const isRegular = lstatSync(path, { throwIfNoEntry: false })?.isFile() === true
  return isRegular ? `chmod 600 ${path}` : 'it is no regular file, so put one with mode 0600 in its place'
}

function strayIn(path: string): readonly Finding[] {
  return [
    ...leftoversIn(path).map((name) =>
      bad(directory, `${name} was left behind by a command that was cut off: it is removed now`),
    ),
    ...(existsSync(join(path, 'quota.sqlite.damaged'))
      ? [bad(directory, 'the counts of the quota were corrupted and start again from zero: check the disk')]
      : []),
  ]
}

/** Less free space than this is too little: the write-ahead log alone may need some megabytes. */
const leastBytes = 100e6
const leastFiles = 100

/** Checks that there is room on the disk where the data is or will be. */
function checkDisk(dataDir: string): Finding {
  const place = nearestExisting(dataDir)
  let stats: StatsFs
  try {
    stats = statfsSync(place)
  } catch {
    return bad('disk', `the free space on the disk of ${place} cannot be read`)
  }
  const freeBytes = stats.bavail * stats.bsize
  const text = `${sizeText(freeBytes)} are free where ${dataDir} lies`
  if (freeBytes < leastBytes) return bad('disk', `only ${text}: make room`)
  // File systems without a fixed number of files report 0.
  if (stats.files > 0 && stats.ffree < leastFiles)
    return bad('disk', 'the disk takes hardly any more files: make room')
  return good('disk', text)
}

function nearestExisting(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestExisting(dirname(path))
}
