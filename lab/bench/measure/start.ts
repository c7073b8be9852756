import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { cpuSeconds, memoryMiB } from '../processes/program.ts'
import { startServer } from '../processes/servers.ts'
import { median } from './median.ts'

export interface Start {
  /** The time from the start of the process until it reports that it listens. */
  readonly millis: number
  /** The processor time of it. */
  readonly cpuMillis: number
  /** Anonymous memory a second later, in MiB. */
  readonly idleMiB: number
}

/** Starts the built server on an existing store as the unit and the image do, once a round and once before, for what V8 compiles. */
export async function measureStart(directory: string, rounds: number): Promise<Start> {
  const samples: Start[] = []
  const settings = { NODE_COMPILE_CACHE: join(directory, 'compiled') }
  for (let round = 0; round <= rounds; round += 1) {
    const server = await startServer({ directory, freeOfQuota: false, isShipped: true, settings })
    const cpuMillis = cpuSeconds(server.pid) * 1000
    await pause(1000)
    const idleMiB = memoryMiB(server.pid).anonymous
    if (round > 0) samples.push({ millis: server.startMillis, cpuMillis, idleMiB })
    await server.stop()
  }
  const of = (key: keyof Start): number => median(samples.map((sample) => sample[key]))
  return { millis: of('millis'), cpuMillis: of('cpuMillis'), idleMiB: of('idleMiB') }
}
