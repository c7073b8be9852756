import { readFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { rowsOf } from '../../../packages/adapter-postgres/test/support/server.ts'
import { startChild, type Child } from '../../campaigns/support/child.ts'
import type { Place } from '../../campaigns/support/place.ts'
import type { LoadAnswer, LoadRequest } from './process.ts'
import { simulate, type Costs } from './simulate.ts'

export interface Comparison {
  readonly title: string
  readonly kind: LoadRequest['kind']
  /** The rows that are called, each by another process: as many as processes are measured at most. */
  readonly targets: readonly string[]
  readonly place: Place
  /** The database's URL. */
  readonly url: string
  /** How long each measurement takes. */
  readonly millis: number
}

/** The number of rounds of a measurement, which take turns, so that what else runs on the machine meets all of them. */
const rounds = 8
/** Calls of all processes together. */
const inFlight = 64

/** What some processes have done. */
interface Done {
  readonly calls: number
  /** What they, and the server of the database for them, have worked, in milliseconds of a processor. */
  readonly worked: number
  /** The part of it that the server has worked. */
  readonly served: number
}

/** So many processes, measured with a row for each of them, and with one row for all. */
interface Point {
  readonly processes: number
  readonly apart: Done
  readonly together: Done
}

/**
 * Measures processes with rows of their own and with one row, and simulates how they compete for it. The simulation uses the costs of a
 * batch on rows of their own, and the processors that they got in the measurement. What a batch costs depends on how many processes share
 * the processors: one that is alone hardly ever waits to be woken. For more processes the costs are those of the most that were measured,
 * with all processors of the machine.
 */
export async function compare(comparison: Comparison): Promise<void> {
  const points = await measureAll(comparison)
  const heads = ['processors', 'a batch, ms', 'measured a second', 'simulated', 'writes lost, simulated']
  console.log(
    `| ${comparison.title}: processes | ${heads.join(' | ')} |\n|${' ---: |'.repeat(heads.length + 1)}`,
  )
  const last = points.at(-1) ?? pointOf(1)
  for (const processes of [1, 2, 4, 8, 16, 64]) {
    const point = points.find((each) => each.processes === processes)
    const costs = costsOf(comparison.kind, point ?? last)
    const processors = point === undefined ? cpus().length : point.together.worked / comparison.millis
    const { rate, lost } = simulate(costs, { processes, processors, inFlight, millis: 4_000 })
    const measured = point && Math.round((point.together.calls / comparison.millis) * 1_000)
    const cells = [processes, processors.toFixed(2), costs.batchMillis.toFixed(2), measured ?? '']
    console.log(`| ${[...cells, Math.round(rate), `${Math.round(lost * 100)} %`].join(' | ')} |`)
  }
  console.log('')
}

function costsOf(kind: Comparison['kind'], { processes, apart }: Point): Costs {
  const batches = apart.calls / Math.floor(inFlight / processes)
  // Counting calls is one statement, which locks the row. Opening a link takes several; their shares are assumed.
  const shares =
    kind === 'open'
      ? { readShare: 0.1, writeShare: 0.2 }
      : { readShare: 0, writeShare: apart.served / apart.worked }
  return { batchMillis: apart.worked / batches, isCompareAndSet: kind === 'open', ...shares }
}

async function measureAll({ kind, targets, place, url, millis }: Comparison): Promise<readonly Point[]> {
  const children = await startChildren(place, targets.length)
  let points = [1, 2, 4].map(pointOf)
  for (let round = 0; round < rounds; round += 1) {
    const next: Point[] = []
    for (const { processes, ...point } of points) {
      const load = { kind, inFlight: Math.floor(inFlight / processes), millis: millis / rounds }
      const used = children.slice(0, processes)
      const apart = await measure(used, url, (at) => ({ ...load, target: targets[at] ?? '' }))
      const together = await measure(used, url, () => ({ ...load, target: targets[0] ?? '' }))
      next.push({ processes, apart: sumOf(point.apart, apart), together: sumOf(point.together, together) })
    }
    points = next
  }
  await Promise.all(children.map((child) => child.end()))
  return points
}

function pointOf(processes: number): Point {
  const nothing = { calls: 0, worked: 0, served: 0 }
  return { processes, apart: nothing, together: nothing }
}

function sumOf(one: Done, other: Done): Done {
  return {
    calls: one.calls + other.calls,
    worked: one.worked + other.worked,
    served: one.served + other.served,
  }
}

async function startChildren({ directory, env }: Place, count: number): Promise<readonly Child[]> {
  const program = new URL('./process.ts', import.meta.url)
  const children = Array.from({ length: count }, () => startChild({ program, args: [directory], env }))
  await Promise.all(children.map((child) => child.line()))
  return children
}

async function measure(
  children: readonly Child[],
  url: string,
  requestOf: (at: number) => LoadRequest,
): Promise<Done> {
  const before = await servedMillis(url)
  const answers = await Promise.all(
    children.map(async (child, at) => {
      child.send(requestOf(at))
      return JSON.parse(await child.line()) as LoadAnswer
    }),
  )
  const served = (await servedMillis(url)) - before
  const done = answers.map(({ calls, worked }) => ({ calls, worked, served: 0 }))
  return [...done, { calls: 0, worked: served, served }].reduce(sumOf)
}

/** What the server's processes of our connections have worked so far; Linux lists it in nanoseconds. */
async function servedMillis(url: string): Promise<number> {
  const pids = await rowsOf(url, `SELECT pid FROM pg_stat_activity WHERE application_name LIKE 'sotto/%'`)
  const nanos = pids.map(([pid]) => Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]))
  return nanos.reduce((sum, each) => sum + each, 0) / 1_000_000
}
