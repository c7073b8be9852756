import { join } from 'node:path'
import type { Generator } from '../load/load.ts'
import { memoryMiB } from '../processes/program.ts'
import { startServer } from '../processes/servers.ts'
import { makeStore } from '../stores/store.ts'
import { storeScenarios } from './scenarios.ts'

/** Anonymous memory after creates at 64 connections, in MiB. */
export interface CreateMemory {
  readonly seconds: number
  readonly server: number
}

/** Loads a fresh server. */
export async function measureCreateMemory(
  directory: string,
  { generator, millis }: { readonly generator: Generator; readonly millis: number },
): Promise<CreateMemory> {
  const store = await makeStore({ directory: join(directory, 'store'), secrets: 0, lists: [0] })
  const server = await startServer({ directory: store.directory, freeOfQuota: true })
  try {
    const { requests = [], expect = 0 } =
      storeScenarios('small', store).find(({ name }) => name === 'create') ?? {}
    await generator.run([{ port: server.port, connections: 64, millis, requests, expect }])
    return { seconds: millis / 1000, server: memoryMiB(server.pid).anonymous }
  } finally {
    await server.stop()
  }
}
