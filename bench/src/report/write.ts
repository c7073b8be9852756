import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Results } from '../measure/results.ts'
import { plotOf } from './plot.ts'
import { reportOf } from './tables.ts'

const documents = resolve(import.meta.dirname, '../../../docs')
const begin = '<!-- measured by: pnpm bench -->'
const end = '<!-- end of what was measured -->'

/** Puts the figures between the two marks of docs/performance.md, and draws docs/performance.svg. */
export function writeReport(results: Results): void {
  const path = join(documents, 'performance.md')
  const page = readFileSync(path, 'utf8')
  const [from, to] = [page.indexOf(begin), page.indexOf(end)]
  if (from === -1 || to < from) throw new Error(`${path} lacks its marks`)
  const text = `${page.slice(0, from)}${begin}\n\n${reportOf(results)}\n\n${page.slice(to)}`
  writeFileSync(path, text)
  spawnSync('prettier', ['--write', '--log-level', 'warn', path], { stdio: 'inherit' })
  writeFileSync(join(documents, 'performance.svg'), plotOf(results))
}
