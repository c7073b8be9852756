import { createHash } from 'node:crypto'
import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Everything in a directory by its path: mode, and a digest of each file's content. For tests that nothing was changed. */
export function treeOf(directory: string): Readonly<Record<string, string>> {
  const names = readdirSync(directory, { recursive: true, encoding: 'utf8' }).sort()
  return Object.fromEntries(names.map((name) => [name, stateOf(join(directory, name))]))
}

/** The paths of all files in a directory and below. */
export function filesIn(directory: string): readonly string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

function stateOf(path: string): string {
  const stats = lstatSync(path)
  const mode = (stats.mode & 0o7777).toString(8)
  if (!stats.isFile()) return mode
  return `${mode} ${createHash('sha256').update(readFileSync(path)).digest('hex')}`
}
