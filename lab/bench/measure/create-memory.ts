import { join } from 'node:path'
import type { Generator } from '../load/load.ts'
import { memoryMiB } from '../processes/program.ts'
import { startCeilings, startServer, type Server } from '../processes/servers.ts'
import { makeStore } from '../stores/store.ts'
import { ceilingScenarios, storeScenarios, type Scenario } from './scenarios.ts'

/** Resident memory after creates at 64 connections, in MiB. */
export interface CreateMemory {
  readonly seconds: number
  readonly server: number
  /** Of the ceiling of group-committed INSERTs after the same time. */
  readonly ceiling: number
}

/** Loads a fresh server and a fresh ceiling, one after the other. */
export async function measureCreateMemory(
  directory: string,
  { generator, millis }: { readonly generator: Generator; readonly millis: number },
): Promise<CreateMemory> {
  const store = await makeStore({ directory: join(directory, 'store'), secrets: 0, lists: [0] })
  const after = async (server: Server, scenario: Scenario | undefined): Promise<number> => {
    try {
      const { requests = [], expect = 0 } = scenario ?? {}
      await generator.run([{ port: server.port, connections: 64, millis, requests, expect }])
      return memoryMiB(server.pid).now
    } finally {
      await server.stop()
    }
  }
  const named = (scenarios: readonly Scenario[], wanted: string) =>
    scenarios.find(({ name }) => name === wanted)
  return {
    seconds: millis / 1000,
    server: await after(
      await startServer({ directory: join(directory, 'store'), freeOfQuota: true }),
      named(storeScenarios('small', store), 'create'),
    ),
    ceiling: await after(await startCeilings(directory), named(ceilingScenarios(), 'ceiling/grouped')),
  }
}
