import type { Generator } from '../load/load.ts'
import { createRequests, get, openRequests } from '../load/requests.ts'
import { cpuSeconds } from '../processes/program.ts'
import type { Server } from '../processes/servers.ts'
import type { Store } from '../stores/store.ts'
import { median } from './median.ts'

/** A request that is measured on one server or several. */
interface Scenario {
  readonly name: string
  readonly title: string
  readonly servers: readonly Server[]
  readonly requests: readonly string[]
  readonly expect: number
}

/** Medians over the rounds. */
export interface PostgresMeasured {
  readonly name: string
  readonly title: string
  readonly processes: number
  /** Requests a second of all servers together. */
  readonly rate: number
  /** The 99th percentile of the slowest server, in milliseconds. */
  readonly p99: number
  /** Processor time of the servers for a request, in microseconds; without that of PostgreSQL. */
  readonly cpuMicros: number
}

/** The connections to each server: operators add servers because there are more clients. */
const connections = 64

export interface Subjects {
  /** Four, on one database. */
  readonly servers: readonly Server[]
  /** Four straight lines on the same database. */
  readonly straights: readonly Server[]
  readonly store: Store
}

/** Every request with 1, 2 and 4 servers, and with as many straight lines. */
export function postgresScenarios({ servers, straights, store }: Subjects): Scenario[] {
  const hot = store.links.slice(0, 1)
  const [, member] = store.members
  const gets = (member?.secretIds ?? []).map((id) => get(`/api/secret/${id}`, member?.token))
  const kinds = [
    { name: 'create', title: 'create', requests: createRequests(store.creators), expect: 201 },
    {
      name: 'open',
      title: 'open, 499 links',
      requests: openRequests(store.links.slice(1), false),
      expect: 200,
    },
    { name: 'hot', title: 'open, one link', requests: openRequests(hot, false), expect: 200 },
    { name: 'get', title: 'get one secret', requests: gets, expect: 200 },
  ]
  return [1, 2, 4].flatMap((count) =>
    kinds.flatMap((kind) => [
      { ...kind, servers: servers.slice(0, count) },
      {
        ...kind,
        name: `${kind.name}/straight`,
        title: `${kind.title}, straight line`,
        servers: straights.slice(0, count),
      },
    ]),
  )
}

export interface PostgresRounds {
  readonly generator: Generator
  readonly rounds: number
  readonly millis: number
  readonly say: (text: string) => void
}

type Sample = Pick<PostgresMeasured, 'rate' | 'p99' | 'cpuMicros'>

/** Measures everything once in every round, every other round backwards. Every server is warmed up by as many requests as every other one. */
export async function measurePostgres(
  scenarios: readonly Scenario[],
  { generator, rounds, millis, say }: PostgresRounds,
): Promise<PostgresMeasured[]> {
  const all = scenarios.map((scenario) => ({ scenario, samples: [] as Sample[] }))
  say('warming up')
  for (const { scenario, server } of pairsOf(scenarios))
    await measure({ ...scenario, servers: [server] }, generator, 2 * millis)
  for (let round = 1; round <= rounds; round += 1) {
    say(`round ${round} of ${rounds}`)
    for (const { scenario, samples } of round % 2 === 0 ? all : all.toReversed())
      samples.push(await measure(scenario, generator, millis))
  }
  return all.map(({ scenario: { name, title, servers }, samples }) => {
    const of = (key: keyof Sample): number => median(samples.map((sample) => sample[key]))
    return {
      name,
      title,
      processes: servers.length,
      rate: of('rate'),
      p99: of('p99'),
      cpuMicros: of('cpuMicros'),
    }
  })
}

/** Every kind of request with every server that takes it, once. */
function pairsOf(scenarios: readonly Scenario[]): readonly { scenario: Scenario; server: Server }[] {
  const all = scenarios.flatMap((scenario) => scenario.servers.map((server) => ({ scenario, server })))
  return [...new Map(all.map((pair) => [`${pair.scenario.name} ${pair.server.pid}`, pair])).values()]
}

async function measure(
  { servers, requests, expect }: Scenario,
  generator: Generator,
  millis: number,
): Promise<Sample> {
  const cpu = (): number => servers.reduce((sum, { pid }) => sum + cpuSeconds(pid), 0)
  const before = cpu()
  const outcomes = await generator.run(
    servers.map(({ port }) => ({
      port,
      connections,
      millis,
      requests,
      expect,
    })),
  )
  const count = outcomes.reduce((sum, outcome) => sum + outcome.requests, 0)
  return {
    rate: outcomes.reduce((sum, outcome) => sum + outcome.rate, 0),
    p99: Math.max(...outcomes.map((outcome) => outcome.p99)),
    cpuMicros: ((cpu() - before) / count) * 1e6,
  }
}
