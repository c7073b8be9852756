// Measures what several processes cost: processor time of all processes of a server for a request, with 1 and with 2 workers in turns.
//
//   npm run bench workers -- [--rounds N] [--millis N] [--workers N]
//
// Two built servers, each on SQLite of its own, and 32 connections for each worker. The processes may run on any processor, beside the load
// generator. Before anything is counted, each worker is warmed up by as many requests as the only worker of the other server. A bare GET is
// the control: what several processes of a Fastify that does nothing else cost on the same machine.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { optionsFrom } from '../campaigns/support/command.ts'
import { startGenerator } from './load/load.ts'
import { createRequests, get, openRequests } from './load/requests.ts'
import { median } from './measure/median.ts'
import { buildServer } from './processes/build.ts'
import { findFreePort } from '@sotto/system'
import { cpuSeconds, memoryMiB, startProgram } from './processes/program.ts'
import { startServer, type Server } from './processes/servers.ts'
import { makeStore } from './stores/store.ts'

const { rounds, millis, workers } = optionsFrom({ rounds: 12, millis: 500, workers: 2 })
const loadNames = ['bare', 'get', 'open', 'create'] as const

type LoadName = (typeof loadNames)[number]
type Subject = Awaited<ReturnType<typeof startSubject>>

buildServer()
const directory = mkdtempSync(join(tmpdir(), 'sotto-bench-workers-'))
const generator = startGenerator()
const subjects = [await startSubject(1), await startSubject(workers)]
for (const subject of subjects)
  for (const name of loadNames) await measure(subject, name, 3_000 * subject.workers)
for (let round = 0; round < rounds; round += 1)
  for (const name of loadNames)
    for (const subject of round % 2 === 0 ? subjects : subjects.toReversed())
      subject.micros[name].push(await measure(subject, name, millis))
generator.stop()
report(subjects)
for (const { sotto, bare } of subjects) await Promise.all([sotto.stop(), bare.stop()])
rmSync(directory, { recursive: true, force: true })

/** A server with so many workers, and what was measured of it. */
async function startSubject(workers: number) {
  const place = join(directory, String(workers))
  const store = await makeStore({ directory: place, secrets: 0, lists: [1000] })
  const [member] = store.members
  const loads = {
    bare: { requests: [get('/bare', undefined)], expect: 200 },
    get: {
      requests: (member?.secretIds ?? []).map((id) => get(`/api/secret/${id}`, member?.token)),
      expect: 200,
    },
    open: { requests: openRequests(store.links, false), expect: 200 },
    create: { requests: createRequests(store.creators), expect: 201 },
  }
  const micros: Record<LoadName, number[]> = { bare: [], get: [], open: [], create: [] }
  return { workers, loads, micros, sotto: await startSotto(place, workers), bare: await startBare(workers) }
}

/** Processor time of all processes for a request, in microseconds. */
async function measure({ workers, loads, ...servers }: Subject, name: LoadName, atMost: number) {
  const server = name === 'bare' ? servers.bare : servers.sotto
  const before = server.seconds()
  const load = { ...loads[name], port: server.port, connections: 32 * workers, millis: atMost }
  const [{ requests }] = await generator.run([load])
  return ((server.seconds() - before) * 1e6) / requests
}

function report([one, several]: Subject[]): void {
  if (one === undefined || several === undefined) return
  for (const name of loadNames) {
    const [few, many] = [one.micros[name], several.micros[name]]
    const medians = `${median(few).toFixed(0)} : ${median(many).toFixed(0)} µs, ${(median(many) / median(few)).toFixed(2)}`
    const least = (Math.min(...many) / Math.min(...few)).toFixed(2)
    console.log(`${name}, 1 worker : ${several.workers}: medians ${medians}; the least of each ${least}`)
  }
  for (const { workers, sotto } of [one, several])
    console.log(`memory with ${workers} in MiB: ${sotto.memory().join(', ')}`)
}

async function startBare(workers: number) {
  const port = await findFreePort()
  const program = join(import.meta.dirname, 'ceilings/bare-workers.ts')
  const args = [program, String(port), String(workers)]
  return measured({
    ...(await startProgram({ args, env: { NODE_ENV: 'production' }, processor: 'any' })),
    port,
  })
}

async function startSotto(directory: string, workers: number) {
  const settings = { SOTTO_WORKERS: String(workers), SOTTO_LOG_LEVEL: 'warn' }
  return measured(await startServer({ directory, freeOfQuota: true, settings, processor: 'any' }))
}

/** A server whose children count, too. */
function measured({ port, pid, stop }: Server) {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
  const pids = [pid, ...children.split(' ').filter(Boolean).map(Number)]
  return {
    port,
    stop,
    seconds: () => pids.reduce((sum, each) => sum + cpuSeconds(each), 0),
    memory: () => pids.map((each) => Math.round(memoryMiB(each).now)),
  }
}
