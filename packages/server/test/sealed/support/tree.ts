import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { join } from 'node:path'

/** Everything in a directory by its path: mode, and a digest of what is in each file. For telling that nothing was changed. */
export function treeOf(directory: string): Readonly<Record<string, string>> {
  const names = readdirSync(directory, { recursive: true, encoding: 'utf8' }).sort()
  return Object.fromEntries(names.map((name) => [name, stateOf(join(directory, name))]))
}

function stateOf(path: string): string {
  const stats = lstatSync(path)
  const mode = (stats.mode & 0o7777).toString(8)
  if (!stats.isFile()) return mode
  return `${mode} ${createHash('sha256').update(readFileSync(path)).digest('hex')}`
}
