import { median } from '../measure/median.ts'
import type { StraightSample } from '../measure/straight.ts'
import { table } from './tables.ts'

/** What was measured beside the straight line. */
export interface StraightRun {
  readonly machine: string
  /** YYYY-MM-DD */
  readonly date: string
  readonly rounds: number
  readonly millis: number
  readonly warm: number
  /** Load average of the minute before the run and of its last minute. */
  readonly loads: readonly [before: number, after: number]
  /** The samples of each process of each subject. */
  readonly samples: readonly StraightSample[]
  readonly garbage: readonly Garbage[]
}

/** The KiB of garbage that a request leaves in the heap. */
export interface Garbage {
  readonly title: string
  readonly kind: string
  readonly kib: number
}

export function titlesOf({ samples }: StraightRun): readonly string[] {
  return [...new Set(samples.map(({ title }) => title))]
}

export function kindsOf({ samples }: StraightRun): readonly string[] {
  return [...new Set(samples.map(({ kind }) => kind))]
}

function of({ samples }: StraightRun, title: string, kind: string): readonly StraightSample[] {
  return samples.filter((one) => one.title === title && one.kind === kind)
}

/** Processor time of a request in microseconds: the median over all rounds of all processes. */
export function micros(run: StraightRun, title: string, kind: string): number {
  return median(of(run, title, kind).flatMap((sample) => sample.micros))
}

/** Each subject's time, with that of its fastest and of its slowest process, and which share of the first subject's time the others take. */
export function straightReportOf(run: StraightRun): string {
  const { machine, date, rounds, millis, warm } = run
  const [first = '', ...others] = titlesOf(run)
  const processes = of(run, first, kindsOf(run)[0] ?? '').length
  const [before, after] = run.loads.map((load) => load.toFixed(1))
  const cell = (title: string, kind: string): string => {
    const each = of(run, title, kind).map((sample) => median(sample.micros))
    return `${micros(run, title, kind).toFixed(1)} (${Math.min(...each).toFixed(1)} to ${Math.max(...each).toFixed(1)})`
  }
  return [
    `${date}, ${machine}. Medians of ${rounds} rounds of ${millis / 1000} s in each of ${processes} processes, after ${warm / 1000} s of ` +
      `warm-up each; in brackets those of the fastest and of the slowest process. Load average ${before} before the run, ${after} at its ` +
      `end (the bench itself adds two).`,
    table(
      ['µs a request', ...titlesOf(run), ...others.map((title) => `${title} : ${first}`)],
      kindsOf(run).map((kind) => [
        kind,
        ...titlesOf(run).map((title) => cell(title, kind)),
        ...others.map((title) => (micros(run, title, kind) / micros(run, first, kind)).toFixed(2)),
      ]),
    ),
    table(
      ['KiB of garbage a request', ...titlesOf(run)],
      kindsOf(run).map((kind) => [kind, ...titlesOf(run).map((title) => garbageOf(run, title, kind))]),
    ),
  ].join('\n\n')
}

function garbageOf({ garbage }: StraightRun, title: string, kind: string): string {
  return garbage.find((one) => one.title === title && one.kind === kind)?.kib.toFixed(1) ?? ''
}
