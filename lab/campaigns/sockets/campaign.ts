import { setTimeout as pause } from 'node:timers/promises'
import { startChild, type Child } from '../support/child.ts'
import { makePlace } from '../support/place.ts'
import { rawCases } from './cases.ts'
import type { RawCase, Scene } from './raw-case.ts'
import { violationsOf } from './check.ts'
import { exchange } from './exchange.ts'
import type { State } from './server-process.ts'

export interface SocketsCampaignOptions {
  /** How often each case is sent; those that send much less often. */
  readonly times: number
  /** How many connections are open at the same time. */
  readonly parallel: number
  /** The number of rounds, at least 4. The memory is measured after each. */
  readonly rounds: number
  /** Starts a server that keeps something of each connection. */
  readonly leak?: boolean
  /** A part of the names of the cases that are sent; all are by default. */
  readonly only?: string | undefined
  readonly onRound?: (round: number, state: State) => void
}

export interface SocketsCampaign {
  readonly figures: {
    readonly cases: number
    readonly connections: number
    /** What the heap grows by from the second round on, by the best line through the measurements. */
    readonly heapGrowthBytes: number
    readonly heapMebibytes: string
    readonly residentMebibytes: string
    readonly descriptors: string
  }
  readonly violations: readonly string[]
}

/** What the heap may grow by for each connection: less than a reference takes. */
const leakBytes = 4
/** What it may grow by besides: caches that fill, and code that is compiled. */
const noiseBytes = 2 ** 20

/** Sends each case many times to one server process, and watches its memory, its descriptors and its connections. */
export async function runSocketsCampaign(options: SocketsCampaignOptions): Promise<SocketsCampaign> {
  const place = makePlace()
  const program = new URL('./server-process.ts', import.meta.url)
  const args = [place.directory, ...(options.leak ? ['leak'] : [])]
  const server = startChild({ program, args, env: place.env })
  try {
    const scene = JSON.parse(await server.line()) as Scene
    return await rounds(server, scene, options)
  } finally {
    await server.end()
    place.remove()
  }
}

async function rounds(
  server: Child,
  scene: Scene,
  { times, parallel, rounds: count, only = '', onRound }: SocketsCampaignOptions,
): Promise<SocketsCampaign> {
  const cases = rawCases(scene).filter(({ name }) => name.includes(only))
  const violations = new Set<string>()
  const states: State[] = []
  let connections = 0
  for (let round = 1; round <= count; round += 1) {
    const jobs = cases.flatMap((raw) => Array<RawCase>(timesOf(raw, times / count)).fill(raw))
    connections += jobs.length
    await sendAll(jobs, { scene, parallel, violations })
    const state = await settled(server)
    states.push(state)
    onRound?.(round, state)
    if (state.connections > 0) violations.add(`${state.connections} connections stay open`)
  }
  const growth = slopeOf(states.slice(1).map(({ heapBytes }) => heapBytes)) * (count - 2)
  const measured = (connections * (count - 2)) / count
  if (growth > noiseBytes + leakBytes * measured)
    violations.add(
      `the heap has grown by ${Math.round(growth)} bytes over ${Math.round(measured)} connections`,
    )
  const descriptors = states.map((state) => state.descriptors)
  if (new Set(descriptors.slice(1)).size > 1) violations.add(`descriptors: ${descriptors.join(', ')}`)
  const errors = states.at(-1)?.errors ?? 0
  if (errors > 0) violations.add(`${errors} errors in the log`)
  return { figures: figuresOf(cases, connections, growth, states), violations: [...violations] }
}

function figuresOf(
  cases: readonly RawCase[],
  connections: number,
  growth: number,
  states: readonly State[],
): SocketsCampaign['figures'] {
  const range = (values: readonly number[]): string =>
    `${values[0]?.toFixed(1)} to ${values.at(-1)?.toFixed(1)}`
  return {
    cases: cases.length,
    connections,
    heapGrowthBytes: Math.round(growth),
    heapMebibytes: range(states.map(({ heapBytes }) => heapBytes / 2 ** 20)),
    residentMebibytes: range(states.map(({ residentBytes }) => residentBytes / 2 ** 20)),
    descriptors: states.map(({ descriptors }) => descriptors).join(', '),
  }
}

/** A case of many bytes is sent less often, and one that waits for a bound too. */
function timesOf({ send, end }: RawCase, times: number): number {
  const bytes = send.reduce((sum, part) => sum + part.length, 0)
  const share = bytes > 1_000_000 ? 100 : bytes > 50_000 || end === 'timeout' ? 10 : 1
  return Math.max(1, Math.round(times / share))
}

interface Sending {
  readonly scene: Scene
  readonly parallel: number
  readonly violations: Set<string>
}

async function sendAll(jobs: readonly RawCase[], { scene, parallel, violations }: Sending): Promise<void> {
  const port = Number(scene.base.split(':')[1])
  const waiting = jobs.values()
  const work = async (): Promise<void> => {
    for (const raw of waiting) {
      const found = violationsOf(raw, await exchange(port, scene, raw), parallel > 1 ? 4 : 1)
      for (const violation of found) violations.add(`${raw.name}: ${violation}`)
    }
  }
  await Promise.all(Array.from({ length: parallel }, work))
}

/** The state of the server when its last connections are closed, or after ten seconds. */
export async function settled(server: Child): Promise<State> {
  for (let attempt = 0; ; attempt += 1) {
    server.send('state')
    const state = JSON.parse(await server.line()) as State
    if (state.connections === 0 || attempt === 200) return state
    await pause(50)
  }
}

/** The slope of the line that fits values at equal distances best (least squares). */
export function slopeOf(values: readonly number[]): number {
  const middle = (values.length - 1) / 2
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const squares = values.reduce((sum, _, at) => sum + (at - middle) ** 2, 0)
  return values.reduce((sum, value, at) => sum + (at - middle) * (value - mean), 0) / squares
}
