import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Runs `work` with a file system of this size. False when none can be mounted: only root may. */
export async function onSmallDisk(bytes: number, work: (path: string) => Promise<void>): Promise<boolean> {
  const path = mkdtempSync(join(tmpdir(), 'sotto-small-'))
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', path]).status !== 0) return false
  try {
    await work(path)
  } finally {
    spawnSync('umount', ['-l', path])
    rmdirSync(path)
  }
  return true
}
