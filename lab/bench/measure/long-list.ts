import type { Generator } from '../load/load.ts'
import { get } from '../load/requests.ts'
import { cpuSeconds, forgetPeak, memoryMiB } from '../processes/program.ts'
import type { Server } from '../processes/servers.ts'
import type { Store } from '../stores/store.ts'
import { median } from './median.ts'

export interface LongList {
  readonly secrets: number
  readonly megabytes: number
  readonly seconds: number
  readonly cpuSeconds: number
  /** How much the resident memory grew at most while a list was sent. */
  readonly extraMiB: number
  /** Latencies in milliseconds of clients that get single secrets at the same time. */
  readonly othersP99: number
  readonly othersMax: number
}

/** One client reads the longest list, first alone, then while four others get single secrets. */
export async function measureLongList(
  store: Store,
  { server: { pid, port }, generator, rounds }: { server: Server; generator: Generator; rounds: number },
): Promise<LongList> {
  const [, thousand, many] = store.members
  const others = (thousand?.secretIds ?? []).map((id) => get(`/api/secret/${id}`, thousand?.token))
  const list = { port, connections: 1, millis: 1, requests: [get('/api/secrets', many?.token)], expect: 200 }
  const alone = []
  for (let round = 0; round < rounds; round += 1) {
    forgetPeak(pid)
    const [before, cpu] = [memoryMiB(pid).now, cpuSeconds(pid)]
    const [{ p50, bytes }] = await generator.run([list])
    alone.push({ millis: p50, bytes, cpu: cpuSeconds(pid) - cpu, extra: memoryMiB(pid).peak - before })
  }
  const together = []
  for (let round = 0; round < rounds; round += 1) {
    const getting = { port, connections: 4, millis: 600, requests: others, expect: 200 }
    const [, { p99, max }] = await generator.run([{ ...list, millis: 600 }, getting])
    together.push({ p99, max })
  }
  return {
    secrets: many?.secrets ?? 0,
    megabytes: median(alone.map(({ bytes }) => bytes)) / 1e6,
    seconds: median(alone.map(({ millis }) => millis)) / 1000,
    cpuSeconds: median(alone.map(({ cpu }) => cpu)),
    extraMiB: median(alone.map(({ extra }) => extra)),
    othersP99: median(together.map(({ p99 }) => p99)),
    othersMax: median(together.map(({ max }) => max)),
  }
}
