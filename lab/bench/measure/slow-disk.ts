import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Generator } from '../load/load.ts'
import { createRequests, openRequests } from '../load/requests.ts'
import { startServer, startStraightLine } from '../processes/servers.ts'
import { makeStore } from '../stores/store.ts'
import { median } from './median.ts'

/** Requests a second with 64 connections, on a disk whose fsync takes some milliseconds longer. */
export interface SlowDisk {
  readonly delayMillis: number
  readonly server: Rates
  readonly straight: Rates
}

type Rates = Readonly<Record<'create' | 'open', number>>

/** strace delays each fsync, and nothing else. */
const slowedBy = (millis: number): string[] => [
  ...['strace', '-f', '--seccomp-bpf', '-qq', '-o', '/dev/null', '-e', 'trace=fsync,fdatasync'],
  ...['-e', `inject=fsync,fdatasync:delay_exit=${1_000 * millis}`],
]

/** Measures the server and the straight line, one after the other. None without strace. */
export async function measureSlowDisk(
  directory: string,
  options: { generator: Generator; rounds: number; millis: number },
): Promise<readonly SlowDisk[]> {
  if (!existsSync('/usr/bin/strace')) return []
  const measured: SlowDisk[] = []
  for (const delayMillis of [1, 5]) {
    const own = join(directory, String(delayMillis))
    const store = await makeStore({ directory: own, secrets: 0, lists: [] })
    const server = { directory: own, freeOfQuota: true, under: slowedBy(delayMillis) }
    const loads = {
      create: { requests: createRequests(store.creators), expect: 201 },
      open: { requests: openRequests(store.links, false), expect: 200 },
    }
    const rates = async (start: typeof startServer): Promise<Rates> => {
      const { port, stop } = await start(server)
      const rate = async (kind: keyof typeof loads): Promise<number> => {
        const samples: number[] = []
        for (let round = 0; round <= options.rounds; round += 1) {
          const load = { ...loads[kind], port, connections: 64, millis: options.millis }
          const [outcome] = await options.generator.run([load])
          if (round > 0) samples.push(outcome.rate)
        }
        return median(samples)
      }
      const both = { create: await rate('create'), open: await rate('open') }
      await stop()
      return both
    }
    measured.push({ delayMillis, server: await rates(startServer), straight: await rates(startStraightLine) })
  }
  return measured
}
