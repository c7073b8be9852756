import { existsSync, statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { sizeText } from '../cli/counting.ts'
import { well, wrong, type Finding } from './finding.ts'

/** Less room than this is too little: the write-ahead log alone may want some megabytes. */
const leastBytes = 100e6
const leastFiles = 100

/** Whether there is room where the data lies, or is to lie. */
export function checkDisk(dataDir: string): Finding {
  const place = nearestThere(dataDir)
  let stats
  try {
    stats = statfsSync(place)
  } catch {
    return wrong('disk', `the room on the disk of ${place} cannot be told`)
  }
  const freeBytes = stats.bavail * stats.bsize
  const text = `${sizeText(freeBytes)} are free where ${dataDir} lies`
  if (freeBytes < leastBytes) return wrong('disk', `only ${text}: make room`)
  // File systems without a fixed number of files say that they have none.
  if (stats.files > 0 && stats.ffree < leastFiles)
    return wrong('disk', 'the disk takes hardly any more files: make room')
  return well('disk', text)
}

function nearestThere(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestThere(dirname(path))
}
