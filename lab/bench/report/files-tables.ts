import { median } from '../measure/median.ts'
import type { GetsBeside, Transfers, UploadMemory } from '../measure/files.ts'
import { table } from './tables.ts'

/** What was measured of files. */
export interface FilesRun {
  readonly machine: string
  /** YYYY-MM-DD */
  readonly date: string
  readonly rounds: number
  /** The size of each file. */
  readonly bytes: number
  /** Load average of the minute before the run and of its last minute. */
  readonly loads: readonly [before: number, after: number]
  readonly transfers: readonly Transfers[]
  readonly gets: { readonly alone: GetsBeside; readonly beside: GetsBeside }
  readonly memory: readonly UploadMemory[]
}

const megabytes = (bytes: number): string => `${bytes / 1e6} MB`

/** The targets and the figures, in Markdown. */
export function filesReportOf(run: FilesRun): string {
  const { machine, date, rounds, bytes, loads, transfers, gets, memory } = run
  const [before, after] = loads.map((load) => load.toFixed(1))
  const others = (one: Transfers): Transfers | undefined =>
    transfers.find(
      ({ title, kind, atOnce }) => title !== one.title && kind === one.kind && atOnce === one.atOnce,
    )
  const rate = (one: Transfers | undefined): number => median(one?.megabytesPerSecond ?? [])
  const cpu = (one: Transfers | undefined): number => median(one?.cpuMillisPerMegabyte ?? [])
  const own = transfers.filter(({ title }) => title === 'Sotto')
  return [
    `${date}, ${machine}. Files of ${megabytes(bytes)}, medians of ${rounds} rounds. Load average ${before} before the run, ${after} at its ` +
      `end (the bench itself adds two).`,
    table(['', 'target', 'reached', ''], targetsOf(run)),
    table(
      [
        'files at once',
        'Sotto, MB/s',
        'bare, MB/s',
        'Sotto, CPU ms a MB',
        'bare, CPU ms a MB',
        'bare : Sotto, CPU',
      ],
      own.map((one) => [
        `${one.kind}, ${one.atOnce}`,
        rate(one).toFixed(0),
        rate(others(one)).toFixed(0),
        cpu(one).toFixed(1),
        cpu(others(one)).toFixed(1),
        (cpu(others(one)) / cpu(one)).toFixed(2),
      ]),
    ),
    table(
      ['uploads at once', 'memory before, MiB', 'more at most, MiB'],
      memory.map(({ atOnce, bytes: each, beforeMiB, moreMiB }) => [
        `${atOnce} of ${megabytes(each)}`,
        beforeMiB.toFixed(0),
        moreMiB.toFixed(0),
      ]),
    ),
    `One client that gets single secrets sees a p50 of ${gets.alone.p50.toFixed(1)} ms and a p99 of ${gets.alone.p99.toFixed(1)} ms; beside four ` +
      `uploads a p50 of ${gets.beside.p50.toFixed(1)} ms, a p99 of ${gets.beside.p99.toFixed(1)} ms and at most ${gets.beside.max.toFixed(1)} ms.`,
  ].join('\n\n')
}

function targetsOf({ transfers, gets, memory }: FilesRun): string[][] {
  const row = (title: string, aim: string, value: number, unit: string, met: boolean): string[] => [
    title,
    aim,
    `${value.toFixed(0)} ${unit}`,
    met ? 'met' : '**missed**',
  ]
  const rates = transfers
    .filter(({ title, kind }) => title === 'Sotto' && kind === 'upload')
    .map(({ atOnce, megabytesPerSecond }) => {
      const value = median(megabytesPerSecond)
      return row(`uploads by form, ${atOnce} at once`, '≥ 100 MB/s', value, 'MB/s', value >= 100)
    })
  const { p99 } = gets.beside
  const { moreMiB = NaN } = memory.find(({ atOnce }) => atOnce === 4) ?? {}
  return [
    ...rates,
    row('get beside four uploads, p99', '≤ 50 ms', p99, 'ms', p99 <= 50),
    row('more memory for four uploads', '≤ 120 MiB', moreMiB, 'MiB', moreMiB <= 120),
  ]
}
