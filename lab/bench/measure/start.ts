import { setTimeout as pause } from 'node:timers/promises'
import { cpuSeconds, memoryMiB } from '../processes/program.ts'
import { startServer } from '../processes/servers.ts'
import { median } from './median.ts'

export interface Start {
  /** From the start of the process until it reports that it listens. */
  readonly millis: number
  /** The processor time of it. */
  readonly cpuMillis: number
  /** Resident memory a second later, in MiB. */
  readonly idleMiB: number
}

/** Starts the built server on an existing store, once a round. */
export async function measureStart(directory: string, rounds: number): Promise<Start> {
  const samples: Start[] = []
  for (let round = 0; round < rounds; round += 1) {
    const server = await startServer({ directory, freeOfQuota: false })
    const cpuMillis = cpuSeconds(server.pid) * 1000
    await pause(1000)
    samples.push({ millis: server.startMillis, cpuMillis, idleMiB: memoryMiB(server.pid).now })
    await server.stop()
  }
  const of = (key: keyof Start): number => median(samples.map((sample) => sample[key]))
  return { millis: of('millis'), cpuMillis: of('cpuMillis'), idleMiB: of('idleMiB') }
}
