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
    table(['', 'target', 'reached', 'straight line', ''], targetsOf(measured)),
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
  const cpu = (name: string, processes = 1): number =>
    measured.find((one) => one.name === name && one.processes === processes)?.cpuMicros ?? NaN
  const least = (name: string, aim: number): string[] => {
    const share = cpu(`${name}/straight`) / cpu(name)
    const reached = share.toFixed(2)
    return [
      `CPU of ${name}, straight line : Sotto`,
      `≥ ${aim}`,
      reached,
      '',
      share >= aim ? 'met' : '**missed**',
    ]
  }
  const growth = (name: string, processes: number): number => cpu(name, processes) / cpu(name)
  const constant = (name: string, processes: number): string[] => {
    const share = growth(name, processes)
    return [
      `CPU of ${name}, ${processes} processes : 1`,
      '0.9 to 1.1',
      share.toFixed(2),
      growth(`${name}/straight`, processes).toFixed(2),
      Math.abs(share - 1) <= 0.1 ? 'met' : '**missed**',
    ]
  }
  const names = ['create', 'open', 'hot', 'get']
  return [
    ...['create', 'open'].map((name) => least(name, 0.7)),
    ...names.flatMap((name) => [2, 4].map((processes) => constant(name, processes))),
  ]
}
