/**
 * Prints which files of a directory (the argument) hold any of the byte strings that come on stdin as JSON, in hexadecimal. In a process
 * of its own, because a process that opens and closes a file loses all locks that it holds on that file, those of SQLite included.
 */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const self = fileURLToPath(import.meta.url)

/** The names of the files that hold any of these bytes. */
export function findBytes(dir: string, needles: readonly string[]): readonly string[] {
  const { stdout, status } = spawnSync(process.execPath, [self, dir], { input: JSON.stringify(needles) })
  if (status !== 0) throw new Error('the search failed')
  return JSON.parse(stdout.toString()) as string[]
}

if (process.argv[1] === self) {
  const dir = process.argv[2] ?? '.'
  const needles = (JSON.parse(readFileSync(0, 'utf8')) as string[]).map((hex) => Buffer.from(hex, 'hex'))
  const holds = (file: string) => {
    const bytes = readFileSync(join(dir, file))
    return needles.some((needle) => bytes.includes(needle))
  }
  console.log(JSON.stringify(readdirSync(dir).filter(holds).sort()))
}
