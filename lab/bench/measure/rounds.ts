import type { Generator } from '../load/load.ts'
import { cpuSeconds } from '../processes/program.ts'
import type { Server } from '../processes/servers.ts'
import { median } from './median.ts'
import type { Scenario, Subject } from './scenarios.ts'

/** Medians over the rounds. */
export interface Measured<Name extends string = Subject> {
  readonly name: string
  readonly title: string
  readonly subject: Name
  readonly connections: number
  /** Requests a second. */
  readonly rate: number
  /** The median, in milliseconds. */
  readonly p50: number
  readonly p99: number
  /** Processor time of the server's threads for a request, in microseconds. NaN for a server that the bench has not started. */
  readonly cpuMicros: number
  /** The share of the time in which the server kept its processor busy. */
  readonly busy: number
}

export interface RoundsOptions<Name extends string = Subject> {
  readonly generator: Generator
  readonly servers: Readonly<Record<Name, Pick<Server, 'port' | 'pid'>>>
  readonly rounds: number
  /** The length of one measurement. */
  readonly millis: number
  readonly say: (text: string) => void
}

type Sample = Omit<Measured, 'name' | 'title' | 'subject' | 'connections'>

/**
 * Measures everything once in every round, every other round backwards, so that other work of the machine affects all measurements
 * equally. The first round warms the servers up and is not counted.
 */
export async function measureInRounds<Name extends string>(
  scenarios: readonly Scenario<Name>[],
  options: RoundsOptions<Name>,
): Promise<Measured<Name>[]> {
  const all = scenarios.flatMap((scenario) =>
    scenario.connections.map((connections) => ({ scenario, connections, samples: [] as Sample[] })),
  )
  for (let round = 0; round <= options.rounds; round += 1) {
    options.say(round === 0 ? 'warming up' : `round ${round} of ${options.rounds}`)
    for (const { scenario, connections, samples } of round % 2 === 0 ? all : all.toReversed()) {
      const sample = await measure(scenario, connections, options)
      if (round > 0) samples.push(sample)
    }
  }
  return all.map(({ scenario: { name, title, subject }, connections, samples }) => {
    const of = (key: keyof Sample): number => median(samples.map((sample) => sample[key]))
    const medians = {
      rate: of('rate'),
      p50: of('p50'),
      p99: of('p99'),
      cpuMicros: of('cpuMicros'),
      busy: of('busy'),
    }
    return { name, title, subject, connections, ...medians }
  })
}

async function measure<Name extends string>(
  { subject, requests, expect, contains }: Scenario<Name>,
  connections: number,
  { generator, servers, millis }: RoundsOptions<Name>,
): Promise<Sample> {
  const { port, pid } = servers[subject]
  const before = cpuSeconds(pid)
  const start = performance.now()
  const [{ rate, p50, p99, requests: count }] = await generator.run([
    { port, connections, millis, requests, expect, contains },
  ])
  const seconds = (performance.now() - start) / 1000
  const cpu = cpuSeconds(pid) - before
  return { rate, p50, p99, cpuMicros: (cpu / count) * 1e6, busy: cpu / seconds }
}
