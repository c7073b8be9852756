import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { filesReportOf, type FilesRun } from './files-tables.ts'
import type { Results } from '../measure/results.ts'
import { peersReportOf, type PeersRun } from './peers-tables.ts'
import { plotOf } from './plot.ts'
import { postgresReportOf, type PostgresRun } from './postgres-tables.ts'
import { straightReportOf, type StraightRun } from './straight-tables.ts'
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

/** Puts the figures between the two marks of lab/performance.md. */
export function writeReport(results: Results): void {
  putBetween(marks, reportOf(results))
}

/** Puts the figures beside the straight line between their own marks. Those on SQLite are also drawn, for docs/performance.md. */
export function writeStraightReport(run: StraightRun, database: 'SQLite' | 'PostgreSQL'): void {
  const command = `npm run bench straight${database === 'SQLite' ? '' : ' -- --postgres'}`
  const end = `<!-- end of what was measured beside the straight line on ${database} -->`
  putBetween([`<!-- measured by: ${command} -->`, end], straightReportOf(run))
  if (database === 'SQLite') writeFileSync(join(documents, '../docs/performance.svg'), plotOf(run))
}

/** Puts the figures of files between their own marks. */
export function writeFilesReport(run: FilesRun, database: 'SQLite' | 'PostgreSQL'): void {
  const command = `npm run bench files${database === 'SQLite' ? '' : ' -- --postgres'}`
  const end = `<!-- end of what was measured of files on ${database} -->`
  putBetween([`<!-- measured by: ${command} -->`, end], filesReportOf(run))
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
