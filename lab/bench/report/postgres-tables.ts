import { cpus, loadavg } from 'node:os'
import type { PostgresMeasured } from '../measure/postgres.ts'
import { table } from './tables.ts'

export interface PostgresRun {
  readonly rounds: number
  readonly millis: number
  readonly measured: readonly PostgresMeasured[]
}

/** The targets and the figures on PostgreSQL, in Markdown. */
export function postgresReportOf({ rounds, millis, measured }: PostgresRun): string {
  const date = new Date().toISOString().slice(0, 10)
  const count = (value: number): string => Math.round(value).toLocaleString('en')
  return [
    `${date}, ${cpus().length} processors, which the servers, PostgreSQL and the load generator share; Node.js ${process.versions.node}. ` +
      `Medians of ${rounds} rounds of ${millis / 1000} s each, 64 connections to each process; load average at the end ${(loadavg()[0] ?? NaN).toFixed(1)}.`,
    table(['', 'target', 'reached', 'its ceiling', ''], targetsOf(measured)),
    table(
      ['', 'processes', 'requests/s', 'p99, ms', 'CPU a request, µs'],
      measured.map(({ title, processes, rate, p99, cpuMicros }) => [
        title,
        String(processes),
        count(rate),
        p99.toFixed(1),
        count(cpuMicros),
      ]),
    ),
  ].join('\n\n')
}

function targetsOf(measured: readonly PostgresMeasured[]): string[][] {
  const find = (name: string, processes = 1): PostgresMeasured | undefined =>
    measured.find((one) => one.name === name && one.processes === processes)
  const rate = (name: string): number => find(name)?.rate ?? NaN
  const least = (title: string, value: number, aim: number): string[] => [
    title,
    `≥ ${aim}`,
    value.toFixed(2),
    '',
    value >= aim ? 'met' : '**missed**',
  ]
  const growth = (name: string, processes: number): number =>
    (find(name, processes)?.cpuMicros ?? NaN) / (find(name)?.cpuMicros ?? NaN)
  const constant = (name: string, processes: number): string[] => {
    const share = growth(name, processes)
    return [
      `CPU of ${find(name)?.title}, ${processes} processes : 1`,
      '0.9 to 1.1',
      share.toFixed(2),
      growth(`ceiling/${name}`, processes).toFixed(2),
      Math.abs(share - 1) <= 0.1 ? 'met' : '**missed**',
    ]
  }
  return [
    least('create : Fastify + multi-VALUES', rate('create') / rate('ceiling/create'), 0.6),
    least('open, 499 links : Fastify + compare-and-set', rate('open') / rate('ceiling/open'), 0.5),
    least('open, one link : the same', rate('hot') / rate('ceiling/hot'), 0.5),
    ...['create', 'open', 'hot', 'get'].flatMap((name) =>
      [2, 4].map((processes) => constant(name, processes)),
    ),
  ]
}
