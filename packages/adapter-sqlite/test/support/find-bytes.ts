/**
 * Prints which files of a directory (the argument) hold any of the byte strings that come on stdin as JSON, in hexadecimal, and which of
 * these strings are in any file. In a process
 * of its own, because a process that opens and closes a file loses all locks that it holds on that file, those of SQLite included.
 */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const self = fileURLToPath(import.meta.url)

/** The names of the files that hold any of these bytes. */
export function findBytes(dir: string, needles: readonly string[]): readonly string[] {
  return search(dir, needles).files
}

/** Those of these bytes that are in any file. */
export function survivingBytes(dir: string, needles: readonly string[]): readonly string[] {
  return search(dir, needles).needles
}

type Found = Record<'files' | 'needles', readonly string[]>

function search(dir: string, needles: readonly string[]): Found {
  const { stdout, status } = spawnSync(process.execPath, [self, dir], { input: JSON.stringify(needles) })
  if (status !== 0) throw new Error('the search failed')
  return JSON.parse(stdout.toString()) as Found
}

if (process.argv[1] === self) {
  const dir = process.argv[2] ?? '.'
  const given = JSON.parse(readFileSync(0, 'utf8')) as string[]
  const contents = readdirSync(dir)
    .sort()
    .map((file) => ({ file, bytes: readFileSync(join(dir, file)) }))
  const isIn = (bytes: Buffer, needle: string) => bytes.includes(Buffer.from(needle, 'hex'))
  const found: Found = {
    files: contents.flatMap(({ file, bytes }) => (given.some((needle) => isIn(bytes, needle)) ? [file] : [])),
    needles: given.filter((needle) => contents.some(({ bytes }) => isIn(bytes, needle))),
  }
  console.log(JSON.stringify(found))
}
