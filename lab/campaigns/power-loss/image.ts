import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Chance } from '../support/chance.ts'
import { applyRenaming, contentOf, type Change, type Directory, type File } from './nodes.ts'

/** What a power cut does to changes that were not synced. */
export type Loss = 'all' | 'none' | 'after-a-moment' | 'some' | 'torn-512' | 'torn-4096'

export const losses: readonly Loss[] = ['all', 'none', 'after-a-moment', 'some', 'torn-512', 'torn-4096']

/** Writes what a power cut would leave of a directory and of everything in it to the directory `target`. */
export function imageOfDirectory(directory: Directory, target: string, loss: Loss, chance: Chance): void {
  mkdirSync(target, { recursive: true, mode: 0o700 })
  const names = new Map(directory.durable)
  for (const renaming of survivors(directory.pending, loss, chance)) applyRenaming(names, renaming)
  for (const [name, node] of names) {
    if (node.isDirectory) imageOfDirectory(node, join(target, name), loss, chance)
    else imageOfFile(node, join(target, name), loss, chance)
  }
}

function imageOfFile(file: File, target: string, loss: Loss, chance: Chance): void {
  const sector = loss === 'torn-512' ? 512 : loss === 'torn-4096' ? 4_096 : undefined
  const changes =
    sector === undefined ? file.pending : file.pending.flatMap((change) => sectorsOf(change, sector))
  let content = contentOf(file.durable, survivors(changes, loss, chance))
  // The file may already have its new length, with zeros in it.
  if (content.length < file.length && chance.happens(50)) content = Buffer.concat([content], file.length)
  const fd = openSync(target, 'wx', 0o600)
  writeSync(fd, content)
  closeSync(fd)
}

/** The changes that have reached the disk. */
function survivors<T>(changes: readonly T[], loss: Loss, chance: Chance): readonly T[] {
  if (loss === 'all') return []
  if (loss === 'none') return changes
  if (loss === 'after-a-moment') return changes.slice(0, chance.between(0, changes.length))
  const percent = chance.pick([10, 50, 90]) ?? 50
  return changes.filter(() => chance.happens(percent))
}

/** Splits a write at the borders of sectors. */
function sectorsOf(change: Change, size: number): readonly Change[] {
  if (change.kind === 'truncate') return [change]
  const { offset, bytes } = change
  const pieces: Change[] = []
  for (let at = 0; at < bytes.length;) {
    const end = Math.min(bytes.length, at + size - ((offset + at) % size))
    pieces.push({ kind: 'write', offset: offset + at, bytes: bytes.subarray(at, end) })
    at = end
  }
  return pieces
}
