import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Generator } from '../load/load.ts'
import { createBody, createRequests, post } from '../load/requests.ts'
import { startCeilings, startServer } from '../processes/servers.ts'
import { makeStore } from '../stores/store.ts'
import { median } from './median.ts'

export interface SlowDisk {
  readonly createRate: number
  readonly singleRate: number
  readonly connections: number
}

const connections = 64

/** strace delays each fsync by a millisecond, and nothing else. */
const slowly = ['strace', '-f', '--seccomp-bpf', '-qq', '-o', '/dev/null'].concat([
  '-e',
  'trace=fsync,fdatasync',
  '-e',
  'inject=fsync,fdatasync:delay_exit=1000',
])

/** Compares creates on a disk whose fsync takes a millisecond longer with one INSERT a request there. `undefined` without strace. */
export async function measureSlowDisk(
  directory: string,
  { generator, rounds, millis }: { generator: Generator; rounds: number; millis: number },
): Promise<SlowDisk | undefined> {
  if (!existsSync('/usr/bin/strace')) return undefined
  mkdirSync(directory)
  const store = await makeStore({ directory: join(directory, 'store'), secrets: 0, lists: [] })
  const server = await startServer({ directory: store.directory, freeOfQuota: true, under: slowly })
  const ceilings = await startCeilings(directory, slowly)
  const creating = { connections, millis, expect: 201 }
  const samples = []
  for (let round = 0; round <= rounds; round += 1) {
    const requests = createRequests(store.creators)
    const [{ rate: createRate }] = await generator.run([{ ...creating, requests, port: server.port }])
    const single = [post('/single', createBody('01936f2e-7c1a-7b32-9d55-0c8f4a1e2b3d'))]
    const [{ rate: singleRate }] = await generator.run([
      { ...creating, requests: single, port: ceilings.port },
    ])
    if (round > 0) samples.push({ createRate, singleRate })
  }
  await Promise.all([server.stop(), ceilings.stop()])
  return {
    createRate: median(samples.map((sample) => sample.createRate)),
    singleRate: median(samples.map((sample) => sample.singleRate)),
    connections,
  }
}
