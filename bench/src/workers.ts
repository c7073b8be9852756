// Measures what several processes cost: processor time of all processes of a server for a request, with 1 and with 2 workers in turns.
//
//   pnpm bench:workers [--rounds N] [--millis N] [--workers N]
//
// The built server, on SQLite, 32 connections. The processes may run on any processor, beside the load generator.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startGenerator } from './load/load.ts'
import { createRequests, get, openRequests } from './load/requests.ts'
import { median } from './measure/median.ts'
import { buildServer } from './processes/build.ts'
import { cpuSeconds, freePort, memoryMiB } from './processes/program.ts'
import { builtServer } from './processes/servers.ts'
import { makeStore, placesOf } from './stores/store.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '12' },
    millis: { type: 'string', default: '500' },
    workers: { type: 'string', default: '2' },
  },
})
const [rounds, millis] = [Number(values.rounds), Number(values.millis)]

buildServer()
const directory = mkdtempSync(join(tmpdir(), 'sotto-bench-workers-'))
const store = await makeStore({ directory, secrets: 0, lists: [1000] })
const [member] = store.members
const loads = {
  get: {
    requests: (member?.secretIds ?? []).map((id) => get(`/api/secret/${id}`, member?.token)),
    expect: 200,
  },
  open: { requests: openRequests(store.links, false), expect: 200 },
  create: { requests: createRequests(store.creators), expect: 201 },
}
const generator = startGenerator()
const micros = new Map<string, number[]>()
for (let round = 0; round <= rounds; round += 1) {
  for (const workers of ['1', values.workers]) {
    const server = await startUnpinned(workers)
    const run = (name: keyof typeof loads, atMost: number) =>
      generator.run([{ ...loads[name], port: server.port, connections: 32, millis: atMost }])
    for (const name of ['get', 'open', 'create'] as const) {
      await run(name, millis / 2)
      const before = server.seconds()
      const [{ requests }] = await run(name, millis)
      const key = `${name} with ${workers}`
      // The first round warms up the machine.
      if (round > 0)
        micros.set(key, [...(micros.get(key) ?? []), ((server.seconds() - before) * 1e6) / requests])
    }
    if (round === rounds) console.log(`memory with ${workers} in MiB: ${server.memory().join(', ')}`)
    await server.stop()
  }
}
generator.stop()
rmSync(directory, { recursive: true, force: true })
for (const [key, all] of micros) {
  const best = Math.min(...all)
  console.log(`${key}: median ${median(all).toFixed(0)} µs, least ${best.toFixed(0)} µs a request`)
}

async function startUnpinned(workers: string) {
  const port = await freePort()
  const env = {
    ...process.env,
    ...placesOf(directory),
    NODE_ENV: 'production',
    SOTTO_PORT: String(port),
    SOTTO_WORKERS: workers,
    SOTTO_LIMIT_PER_MINUTE: '1000000',
    SOTTO_LIMIT_PER_DAY: '1000000000',
    SOTTO_LOG_LEVEL: 'warn',
  }
  const child = spawn(process.execPath, [builtServer, 'serve', '--json'], {
    cwd: directory,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  const pid = child.pid ?? 0
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
  const pids = [pid, ...children.split(' ').filter(Boolean).map(Number)]
  return {
    port,
    seconds: () => pids.reduce((sum, each) => sum + cpuSeconds(each), 0),
    memory: () => pids.map((each) => Math.round(memoryMiB(each).now)),
    async stop() {
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}
