import type { Measured } from '../measure/rounds.ts'
import type { Results } from '../measure/results.ts'
import { find, targetsOf } from './targets.ts'

/** The generated part of the page, in Markdown. */
export function reportOf(results: Results): string {
  const { machine, date, rounds, millis, loads, longList, passwords, start, slowDisk, createMemory } = results
  const [before, after] = loads.map((load) => load.toFixed(1))
  const count = (value: number): string => value.toLocaleString('en')
  return [
    `${date}, ${machine}. Medians of ${rounds} rounds of ${millis / 1000} s each; load average ${before} before the run, ${after} at its end ` +
      `(the bench itself adds two).`,
    ...warningsAbout(results),
    '### Targets',
    table(
      ['', 'target', 'reached', ''],
      targetsOf(results).map(({ title, aim, reached, met }) => [
        title,
        aim,
        reached,
        met ? 'met' : '**missed**',
      ]),
    ),
    '### Figures',
    table(
      ['', 'connections', 'requests/s', 'p50, ms', 'p99, ms', 'CPU a request, µs'],
      results.measured.map((one) => [
        titleOf(one, results),
        String(one.connections),
        count(Math.round(one.rate)),
        one.p50.toFixed(2),
        one.p99.toFixed(2),
        count(Math.round(one.cpuMicros)),
      ]),
    ),
    `The list of ${count(longList.secrets)} secrets (${longList.megabytes.toFixed(1)} MB) takes ${longList.seconds.toFixed(2)} s; four ` +
      `clients that get single secrets at the same time see a p99 of ${longList.othersP99.toFixed(1)} ms. Argon2id alone runs ` +
      `${passwords.bareRate.toFixed(1)} times a second, links with a password open ${passwords.openRate.toFixed(1)} times. ` +
      slowDisk
        .map(
          ({ delayMillis, server, straight }) =>
            `With fsync slowed by ${delayMillis} ms there are ${count(Math.round(server.create))} creates and ` +
            `${count(Math.round(server.open))} opens a second (straight line: ${count(Math.round(straight.create))} and ` +
            `${count(Math.round(straight.open))}). `,
        )
        .join('') +
      `After ${createMemory.seconds} s of creates the server uses ${Math.round(createMemory.server)} MiB of its own. A start takes ${Math.round(start.millis)} ms, ${Math.round(start.cpuMillis)} ms of it CPU time.`,
  ].join('\n\n')
}

/** Requests with an unknown token keep a server's processor busy all the time, unless other programs use it too. */
function warningsAbout({ measured }: Results): string[] {
  const busy = find(measured, '401', 64)?.busy ?? NaN
  if (!(busy < 0.85)) return []
  const share = Math.round(100 * busy)
  return [
    `**Not reliable: other programs were running.** Requests with 64 connections should keep the server's processor busy, but it got ${share} % of ` +
      `it. This affects throughput, latencies and the start unevenly, and CPU a request least.`,
  ]
}

function titleOf({ title, subject }: Measured, { largeSecrets }: Results): string {
  return subject === 'large' ? `${title}, ${largeSecrets.toLocaleString('en')} secrets in the store` : title
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  const alignments = head.map((_, nr) => (nr === 0 || head[nr] === '' ? '---' : '---:'))
  return [head, alignments, ...rows].map(line).join('\n')
}
