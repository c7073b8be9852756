import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Results } from '../measure/results.ts'
import { peersReportOf, type PeersRun } from './peers-tables.ts'
import { plotOf } from './plot.ts'
import { postgresReportOf, type PostgresRun } from './postgres-tables.ts'
import { reportOf } from './tables.ts'

const documents = resolve(import.meta.dirname, '../..')
const marks = ['<!-- measured by: npm run bench sqlite -->', '<!-- end of what was measured -->'] as const
const postgresMarks = [
  '<!-- measured by: npm run bench postgres -->',
  '<!-- end of what was measured on PostgreSQL -->',
] as const
const peersMarks = [
  '<!-- measured by: npm run bench peers -->',
  '<!-- end of what was measured beside peers -->',
] as const

/** Puts the figures between the two marks of lab/performance.md, and draws lab/performance.svg. */
export function writeReport(results: Results): void {
  putBetween(marks, reportOf(results))
  writeFileSync(join(documents, 'performance.svg'), plotOf(results))
}

/** Puts the figures on PostgreSQL between their own marks. */
export function writePostgresReport(run: PostgresRun): void {
  putBetween(postgresMarks, postgresReportOf(run))
}

/** Puts the figures of the services that are compared between their own marks. */
export function writePeersReport(run: PeersRun): void {
  putBetween(peersMarks, peersReportOf(run))
}

function putBetween([begin, end]: readonly [string, string], report: string): void {
  const path = join(documents, 'performance.md')
  const page = readFileSync(path, 'utf8')
  const [from, to] = [page.indexOf(begin), page.indexOf(end)]
  if (from === -1 || to < from) throw new Error(`${path} lacks its marks`)
  writeFileSync(path, `${page.slice(0, from)}${begin}\n\n${report}\n\n${page.slice(to)}`)
  spawnSync('prettier', ['--write', '--log-level', 'warn', path], { stdio: 'inherit' })
}
