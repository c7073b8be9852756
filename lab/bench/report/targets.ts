import type { Measured } from '../measure/rounds.ts'
import type { Results } from '../measure/results.ts'
import type { Subject } from '../measure/scenarios.ts'

/** A target, and the value that was reached. */
export interface Target {
  readonly title: string
  readonly aim: string
  readonly reached: string
  readonly met: boolean
}

/** Every target: a ratio within one run, or a bound. Those that were not measured are left out. */
export function targetsOf(results: Results): Target[] {
  const rate = (name: string, connections = 64, subject?: Subject): number =>
    find(results.measured, name, connections, subject)?.rate ?? NaN
  const cpu = (name: string): number => find(results.measured, name, 64)?.cpuMicros ?? NaN
  const create = rate('create')
  const { createMemory, longList, passwords, queue, start } = results
  return [
    ...[
      ['create', 0.85],
      ['open', 0.85],
      ['401', 0.85],
      ['get', 0.95],
    ].map(([name, least]) =>
      atLeast(
        `CPU of ${name}, straight line : Sotto`,
        cpu(`${name}/straight`) / cpu(String(name)),
        Number(least),
      ),
    ),
    atLeast('create with a key : without', rate('createKeyed') / create, 0.8),
    atMost('create, p99', find(results.measured, 'create', 64)?.p99 ?? NaN, 30, 'ms'),
    atLeast('open with notify : without', rate('openNotify') / rate('open'), 0.85),
    atLeast('open with password : bare Argon2id', passwords.openRate / passwords.bareRate, 0.85),
    atMost('get while passwords are hashed, p99', passwords.othersP99, 100, 'ms'),
    atMost('get while owners sign in, p99', passwords.besideSignInsP99, 100, 'ms'),
    atMost("CPU of an owner's page of 40", cpu('page40'), 600, 'µs'),
    atMost("CPU of an owner's page of 40 : list of 50", cpu('page40') / cpu('list50'), 1.5, 'times'),
    atLeast('create with metrics : without', rate('create/metered') / create, 0.95),
    atLeast('get with metrics : without', rate('get/metered') / rate('get'), 0.95),
    atLeast('open with metrics : without', rate('open/metered') / rate('open'), 0.95),
    ...sizeTargets(results),
    atMost(`list of ${longList.secrets.toLocaleString('en')}, CPU`, longList.cpuSeconds, 1, 's'),
    atMost('the same, extra memory', longList.extraMiB, 32, 'MiB'),
    atMost('the same, others stalled at most', longList.othersMax, 15, 'ms'),
    atLeast(`webhooks sent a second, ${count(queue.messages)} waiting`, Math.round(queue.rate), 500),
    atMost(`memory for ${count(queue.waiting)} waiting messages`, queue.extraMiB, 16, 'MiB'),
    atMost('start of the server as shipped', start.millis, 220, 'ms'),
    atMost(`anonymous memory after ${createMemory.seconds} s of creates`, createMemory.server, 110, 'MiB'),
    atMost('anonymous memory of an idle server', start.idleMiB, 48, 'MiB'),
  ]
}

const count = (value: number): string => value.toLocaleString('en')

/**
 * The least throughput with the large store, by request. A create appends to every index that is ordered by time, so the size of the store
 * must hardly matter to it.
 */
const leastOfSize: Readonly<Record<string, number>> = { create: 0.97 }

/** The throughput of every endpoint with the large store, compared with the small one. */
function sizeTargets({ measured, largeSecrets }: Results): Target[] {
  return measured
    .filter(({ subject }) => subject === 'large')
    .flatMap(({ name, title, connections, rate }) => {
      const small = find(measured, name, connections, 'small')
      const size = largeSecrets.toLocaleString('en')
      return small === undefined
        ? []
        : [
            atLeast(
              `${title}, ${size} : 1,000 secrets in the store`,
              rate / small.rate,
              leastOfSize[name] ?? 0.9,
            ),
          ]
    })
}

/** The figures of a scenario; without a subject, not those of the large store. */
export function find(
  measured: readonly Measured[],
  name: string,
  connections: number,
  subject?: Subject,
): Measured | undefined {
  return measured.find(
    (one) =>
      one.name === name &&
      one.connections === connections &&
      (subject === undefined ? one.subject !== 'large' : one.subject === subject),
  )
}

function atLeast(title: string, value: number, least: number): Target {
  return {
    title,
    aim: `≥ ${least}`,
    reached: least >= 100 ? count(value) : value.toFixed(2),
    met: value >= least,
  }
}

function atMost(title: string, value: number, most: number, unit: string): Target {
  const digits = most < 10 ? 2 : 0
  return { title, aim: `≤ ${most} ${unit}`, reached: `${value.toFixed(digits)} ${unit}`, met: value <= most }
}
