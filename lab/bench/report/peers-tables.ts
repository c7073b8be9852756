import { facts, type Facts } from '../peers/facts.ts'
import type { PeersMeasured } from '../peers/measure.ts'
import type { ServiceName } from '../peers/service.ts'
import { table } from './tables.ts'

export interface PeersRun {
  readonly machine: string
  /** Such as 2026-11-23. */
  readonly date: string
  readonly rounds: number
  readonly millis: number
  /** The load average before the run and at its end. */
  readonly loads: readonly [number, number]
  readonly measured: readonly PeersMeasured[]
}

/** The figures of all services and what each service does for them, in Markdown. */
export function peersReportOf({ machine, date, rounds, millis, loads, measured }: PeersRun): string {
  const [before, after] = loads.map((load) => load.toFixed(1))
  const names = [...new Set(measured.map(({ subject }) => subject))]
  return [
    `${date}, ${machine}. Medians of ${rounds} rounds of ${millis / 1000} s each; load average ${before} before the run, ${after} at its end.`,
    ...warningsAbout(measured),
    figuresOf(measured),
    'What a service does in these requests:',
    factsOf(names),
    ...(Object.keys(facts) as ServiceName[]).filter((name) => !names.includes(name)).map(wayToMeasure),
  ].join('\n\n')
}

function figuresOf(measured: readonly PeersMeasured[]): string {
  const head = [
    '',
    'connections',
    'requests/s',
    'p50, ms',
    'p99, ms',
    'fsync before the answer',
    'checks a token',
  ]
  const rows = measured.map(({ name, subject, connections, rate, p50, p99 }) => {
    const { title, fsync, token } = facts[subject]
    const kind = name as 'create' | 'open'
    return [
      `${kind}, ${title}`,
      String(connections),
      Math.round(rate).toLocaleString('en'),
      p50.toFixed(2),
      p99.toFixed(2),
      fsync[kind],
      token[kind],
    ]
  })
  return table(head, rows)
}

const factTitles: readonly (readonly [keyof Omit<Facts, 'title' | 'fsync' | 'token'>, string])[] = [
  ['encryption', 'encrypts'],
  ['quota', "a caller's quota"],
  ['counting', 'counts opens'],
  ['limit', 'limit of opens'],
  ['storage', 'stores in'],
  ['processes', 'processes'],
]

function factsOf(names: readonly ServiceName[]): string {
  const rows = factTitles.map(([key, title]) => [title, ...names.map((name) => facts[name][key])])
  return table(['', ...names.map((name) => facts[name].title)], rows)
}

/** Opens keep Sotto's processor busy all the time, unless other programs use it too. */
function warningsAbout(measured: readonly PeersMeasured[]): string[] {
  const opens = measured.find(
    (one) => one.subject === 'sotto' && one.name === 'open' && one.connections === 64,
  )
  if (!((opens?.busy ?? NaN) < 0.85)) return []
  const share = Math.round(100 * (opens?.busy ?? NaN))
  return [
    `**Not reliable: other programs were running.** Opens with 64 connections should keep Sotto's processor busy, but Sotto got ${share} % of it. ` +
      'A service with more processes and threads then gets a larger share, so neither the rates nor their ratios count.',
  ]
}

function wayToMeasure(name: ServiceName): string {
  const { title } = facts[name]
  return `${title} was not measured: bench/peers/README.md tells how to start it; then add \`--${name} ADDRESS\`.`
}
